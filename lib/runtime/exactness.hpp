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

/// Builds and runs a kernel for `Number`, float or double. Throws what a failing device throws.
template <class Number>
Exactness exactness(Stream& caller);

/// The same in a child process where there is one. Arithmetic that ends it is not exact.
template <class Number>
Exactness try_exactness(Stream& caller);

/// Identifies the kernels above as this device's compiler builds them.
std::string exactness_programs(const Stream& stream);

}  // namespace tessera::inline v0::runtime
