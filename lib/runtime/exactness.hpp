// Exactness: whether a device's arithmetic is as precise as a proof assumes.
#pragma once

#include <string>

#include "runtime/stream.hpp"

namespace tessera::inline v0::runtime {

/// Properties of a device's results; each holds for all of thousands of random operands.
struct Exactness {
  bool products = false;   ///< products and fma() have the host's bits
  bool sums = false;       ///< so have sums and their rounding errors by Knuth's algorithm
  bool quotients = false;  ///< corrected by fma(), they are within 3 u, as pairs within 2^-44

  bool all() const { return products && sums && quotients; }
};

struct ExactArithmetic {
  Exactness floats, doubles;
};

/// Builds and runs a kernel; it uses doubles only if `with_doubles`. Throws Error if the device
/// fails.
ExactArithmetic exact_arithmetic(Stream& caller, bool with_doubles);

/// The same in a child process, if there is one. Arithmetic that ends the child, or does not
/// compile, is not exact. If that happens with doubles, floats are tried alone.
ExactArithmetic try_exact_arithmetic(Stream& caller);

/// Identifies the kernel above as this device's compiler builds it.
std::string exactness_program(const Stream& stream);

}  // namespace tessera::inline v0::runtime
