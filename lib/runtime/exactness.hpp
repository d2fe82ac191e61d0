// Exactness: whether a device's arithmetic is as precise as a proof assumes.
#pragma once

#include <string>

#include "runtime/stream.hpp"

namespace tessera::inline v0::runtime {

/// What holds for each of thousands of random operands.
struct Exactness {
  bool products = false;   ///< fma() has the host's bits
  bool sums = false;       ///< so has what a sum's rounding lost, by Knuth's algorithm
  bool quotients = false;  ///< one that fma() corrects is within 3 u, as a pair within 2^-44

  bool all() const { return products && sums && quotients; }
};

struct ExactArithmetic {
  Exactness floats, doubles;
};

/// Builds and runs a kernel; without `with_doubles` it knows of no doubles. Throws what a failing
/// device throws.
ExactArithmetic exact_arithmetic(Stream& caller, bool with_doubles);

/// The same in a child process where there is one. Arithmetic that ends it, or does not compile, is
/// not exact; where that is so of doubles, floats may be.
ExactArithmetic try_exact_arithmetic(Stream& caller);

/// Identifies the kernel above as this device's compiler builds it.
std::string exactness_program(const Stream& stream);

}  // namespace tessera::inline v0::runtime
