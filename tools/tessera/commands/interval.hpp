// Interval: a proven one for the matrix that was named, and as text that is not narrower.
#pragma once

#include <string>
#include <tessera/eigen.hpp>

namespace tessera::tool {

/// Bounds of the spectral radius of a non-negative matrix, from bounds for the matrix whose
/// elements are those that were named but for a relative `rounding`: the radius grows with each
/// element, and with all of them in proportion (Horn, Johnson, Matrix Analysis, 8.1). Unchanged
/// where `rounding` is 0 or infinite.
EigenBounds widened(const EigenBounds& bounds, double rounding);

/// At least by how much widened() makes (upper - lower) / upper larger.
double widening(double rounding);

/// Decimals of the bounds, rounded outwards: 15 digits, or 17 where 15 would make the interval more
/// than a tenth wider.
struct IntervalText {
  std::string lower, upper;
  int digits;
};
IntervalText interval_text(const EigenBounds& bounds);

}  // namespace tessera::tool
