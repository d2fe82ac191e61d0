// Certificate: from a positive vector and the ratios A v / v to a proven interval.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tessera::inline v0::eigen {

/// The precision with which the ratios were computed.
struct Precision {
  double relative;  ///< bound on the relative error of a ratio
  double smallest;  ///< bound on the absolute error of a product, or of a part of one, by underflow
  double floor;     ///< bound on the elements of A that the device may have flushed to zero
};

/// Bounds that a positive vector and its ratios prove. No other vector gives a certificate.
struct Certificate {
  double lower,
      upper;        ///< bounds on the spectral radius, widened by rounding; `upper` may be infinite
  double value;     ///< their midpoint; `lower` where `upper` is infinite
  double residual;  ///< at least max |A v - value v| / (value max v)
  double largest;   ///< largest component of the vector
};

/// Properties of a vector v and its ratios A v / v that determine a certificate.
struct Evidence {
  std::size_t size;
  /// The first row whose component is not positive and finite, or whose ratio is not finite.
  std::optional<std::size_t> unproven_row;
  double minimum, largest;  ///< of the vector
  double lowest, highest;   ///< of the ratios
  double middle;            ///< about the middle of these
  double deviation;         ///< at least max |ratio - middle| * component / largest
};

/// `ratios` has a ratio for each element of `vector`.
Evidence evidence_of(std::span<const double> vector, std::span<const double> ratios);

/// Returns nothing if any row is unproven, or there is none.
std::optional<Certificate> certify(const Evidence& evidence, const Precision& precision);

}  // namespace tessera::inline v0::eigen
