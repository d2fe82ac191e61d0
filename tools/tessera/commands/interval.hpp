// Interval: a proven one for the matrix that was named, and as text that is not narrower.
#pragma once

#include <string>
#include <tessera/eigen.hpp>

namespace tessera::tool {

/// Bounds of the spectral radius of a non-negative matrix, given bounds for a matrix whose elements
/// differ by a relative `rounding` at most. The radius grows with each element, and with all of
/// them in proportion (Horn, Johnson, Matrix Analysis, 8.1). The bounds are unchanged if `rounding`
/// is 0 or infinite.
EigenBounds widened(const EigenBounds& bounds, double rounding);

/// A lower bound of the amount by which widened() increases (upper - lower) / upper.
double widening(double rounding);

/// Decimals of the bounds, rounded outwards: 15 digits, or 17 where 15 would make the interval more
/// than a tenth wider.
struct IntervalText {
  std::string lower, upper;
  int digits;
};
IntervalText interval_text(const EigenBounds& bounds);

}  // namespace tessera::tool
