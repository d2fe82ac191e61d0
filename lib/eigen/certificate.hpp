// Certificate: from a positive vector and the ratios A v / v to an interval that is proven.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tessera::inline v0::eigen {

/// What the ratios were computed with.
struct Precision {
  double relative;  ///< bound of the error of a ratio, relative
  double smallest;  ///< what a product or a part of one may have lost by underflow
  double floor;     ///< largest element of A that the device may have taken for zero
};

/// What a positive vector and its ratios prove; without such a vector there is no certificate.
struct Certificate {
  double lower,
      upper;        ///< of the spectral radius, widened by the rounding; `upper` may be infinite
  double value;     ///< their midpoint; `lower` where `upper` is infinite
  double residual;  ///< max |A v - value v| / (value max v)
  double largest;   ///< component of the vector
};

/// The first row whose component is not positive or whose ratio is not finite.
std::optional<std::size_t> first_unproven_row(std::span<const double> vector,
                                              std::span<const double> ratios);

/// `ratios` are those of `vector`, element by element. Nothing where one is unproven.
std::optional<Certificate> certify(std::span<const double> vector, std::span<const double> ratios,
                                   const Precision& precision);

}  // namespace tessera::inline v0::eigen
