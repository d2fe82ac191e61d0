// Certificate: from a positive vector and the ratios A v / v to a proven interval.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tessera::inline v0::eigen {

/// The precision with which the ratios were computed.
struct Precision {
  double relative;  ///< bound on the relative error of a ratio
  double smallest;  ///< bound on what a product or a part of one may have lost by underflow
  double floor;     ///< bound on the elements of A that the device may have flushed to zero
};

/// What a positive vector and its ratios prove; without such a vector there is no certificate.
struct Certificate {
  double lower,
      upper;        ///< bounds on the spectral radius, widened by rounding; `upper` may be infinite
  double value;     ///< their midpoint; `lower` where `upper` is infinite
  double residual;  ///< at least max |A v - value v| / (value max v)
  double largest;   ///< largest component of the vector
};

/// The first row whose component is not positive and finite, or whose ratio is not finite.
std::optional<std::size_t> first_unproven_row(std::span<const double> vector,
                                              std::span<const double> ratios);

/// `ratios` are those of `vector`, element by element. Returns nothing if any row is unproven.
std::optional<Certificate> certify(std::span<const double> vector, std::span<const double> ratios,
                                   const Precision& precision);

}  // namespace tessera::inline v0::eigen
