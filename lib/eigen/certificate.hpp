// Certificate: from a positive vector and the ratios A v / v to an interval that is proven.
#pragma once

#include <span>

namespace tessera::inline v0::eigen {

/// What the ratios were computed with.
struct Precision {
  double relative;  ///< bound of the error of a ratio, relative
  double smallest;  ///< what a product or a part of one may have lost by underflow
  double floor;     ///< largest element of A that the device may have taken for zero
};

struct Certificate {
  double lower = 0, upper = 0;  ///< of the spectral radius, widened by the rounding
  double value = 0;             ///< their midpoint; `lower` where `upper` is infinite
  double residual = 0;          ///< max |A v - value v| / (value max v)
  double largest = 0;           ///< of the vector
  bool positive = false;        ///< the vector is; otherwise nothing else is set but `largest`
};

/// `ratios` are those of `vector`, element by element.
Certificate certify(std::span<const double> vector, std::span<const double> ratios,
                    const Precision& precision);

}  // namespace tessera::inline v0::eigen
