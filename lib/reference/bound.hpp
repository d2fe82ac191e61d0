// Bound: how far an element of a product may be from the exact one.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "tessera/matrix.hpp"

namespace tessera::inline v0::reference {

/// Of the numbers that are summed.
template <Element T>
constexpr double kRoundoff = std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;
template <Element T>
constexpr double kSmallestNormal = std::is_same_v<T, double> ? 0x1p-1022 : 0x1p-126;

/// What storing a result of that size adds to its error: half is stored shorter than it is summed.
template <Element T>
double storing_error(double value) {
  return std::is_same_v<T, half> ? 0x1p-11 * std::fabs(value) + 0x1p-25 : 0;
}

template <Element T>
double widened(T value) {
  if constexpr (std::is_same_v<T, half>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
}

/// As `multiply` documents it: of an element whose exact value is `reference`, for `k` products
/// with |alpha| times the sum of their magnitudes `products`, and `before` = |beta c|.
template <Element T>
double error_bound(std::size_t k, double reference, double products, double before) {
  const double terms = static_cast<double>(k);
  return (terms + 8) * kRoundoff<T> * products + 4 * kRoundoff<T> * before +
         (terms + 2) * kSmallestNormal<T> + storing_error<T>(reference);
}

/// error / bound, where values that are not finite have to agree as they are.
inline double ratio(double value, double reference, double bound, double error) {
  if (std::isnan(reference)) return std::isnan(value) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isinf(reference))
    return value == reference ? 0 : std::numeric_limits<double>::infinity();
  if (!(error <= std::numeric_limits<double>::max()))
    return std::numeric_limits<double>::infinity();
  return error == 0 ? 0 : error / bound;
}

}  // namespace tessera::inline v0::reference
