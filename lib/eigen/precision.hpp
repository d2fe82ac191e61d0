// Precision of ratios by a round's kernel, from its accumulator.
#pragma once

#include <cstddef>

#include "eigen/certificate.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::eigen {

/// Bound on the relative error of a ratio (cl/common/wide.cl): a sum of `size` positive products in
/// any order, and a quotient that counts as four roundings.
double relative_error(Accumulator accumulator, std::size_t size);

/// For n x n elements of `type`; `flushes`: the device takes subnormal numbers as 0.
Precision precision_of(Accumulator accumulator, ElementType type, std::size_t n, bool flushes);

}  // namespace tessera::inline v0::eigen
