// Reference: computes the eigenpair's operations on the host, with bounds on a device's errors.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "reference/bound.hpp"

namespace tessera::inline v0::eigen {

using reference::Bounded;

/// The sum of at(0) to at(n - 1).
template <class At>
Bounded reference_sum(ElementType type, std::size_t n, At&& at) {
  long double sum = 0, magnitude = 0;
  for (std::size_t j = 0; j < n; j++) {
    sum += at(j);
    magnitude += std::fabs(at(j));
  }
  return {static_cast<double>(sum),
          static_cast<double>(magnitude) * reference::roundoff(type) * static_cast<double>(n + 1)};
}

/// An element scaled by a quotient. OpenCL's division of floats is accurate to 2.5 ulp.
inline Bounded reference_quotient(ElementType type, double element, double numerator,
                                  double denominator) {
  const double value = element * numerator / denominator;
  return {value, 8 * reference::roundoff(type) * std::fabs(value)};
}

/// A row of a non-negative matrix, of elements at(j), times a positive vector, as a round has it
/// whose ratios have a relative error of at most `relative`; and over the row's own component of
/// the vector.
struct ProductAndRatio {
  Bounded product, ratio;
};
template <class At>
ProductAndRatio reference_round(std::size_t row, std::span<const double> vector, double relative,
                                At&& at) {
  long double sum = 0;
  for (std::size_t j = 0; j < vector.size(); j++)
    sum += static_cast<long double>(at(j)) * vector[j];
  const auto bounded = [&](long double value, double error) {
    // The reference is rounded to double, and its own sum is one of long doubles.
    constexpr long double kLong = std::numeric_limits<long double>::epsilon();
    const double own = reference::roundoff(ElementType::float64) +
                       static_cast<double>(kLong) * double(vector.size());
    return Bounded{static_cast<double>(value), static_cast<double>(value) * (error + own)};
  };
  // Ratios have three roundings more than products.
  return {bounded(sum, relative - 3 * reference::roundoff(ElementType::float64)),
          bounded(sum / vector[row], relative)};
}

/// Whether each sum differs from the next one, the last from the first, by less than `tolerance`.
inline bool reference_stop(std::span<const double> sums, double tolerance) {
  for (std::size_t i = 0; i < sums.size(); i++) {
    if (!(std::fabs(sums[i] - sums[(i + 1) % sums.size()]) < tolerance)) return false;
  }
  return true;
}

}  // namespace tessera::inline v0::eigen
