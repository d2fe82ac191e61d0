// Bound: how far an element of a product may be from its exact value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "tessera/matrix.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::reference {

/// The unit roundoff of the numbers that are summed.
template <Element T>
constexpr double kRoundoff = std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;
template <Element T>
constexpr double kSmallestNormal = std::is_same_v<T, double> ? 0x1p-1022 : 0x1p-126;

/// What storing a result of that size adds to its error: half is summed in float, then rounded.
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

/// The terms of an element of a product: `k` products and the sum of their magnitudes, |alpha|,
/// |beta c|, and, where is_bounded(), the row's norm times the column's: the largest magnitude of a
/// float row, the Euclidean norm of a double one. Last, of all this, what a device that takes
/// subnormal inputs for 0 leaves out.
struct Terms {
  std::size_t k;
  double magnitude, alpha = 1, before = 0, norms = 0, flushed = 0;
};

/// Whether a device may flush `value` to 0. Only a float; halves are summed in float, where all are
/// normal.
template <Element T>
bool may_be_flushed(double value) {
  return std::is_same_v<T, float> && std::fabs(value) < kSmallestNormal<float>;
}

/// Whether the bound is that of Accuracy::bounded, which only float and double have.
template <Element T>
constexpr bool is_bounded(Accuracy accuracy) {
  constexpr bool has_bound = std::is_same_v<T, float> || std::is_same_v<T, double>;
  return has_bound && accuracy == Accuracy::bounded;
}

/// The bound that `multiply` documents, for an element whose exact value is `reference`; that of
/// Accuracy::bounded for float and double. Double by residues (cl/common/residue_planes.cl): unless
/// it is zero, a row's integers have a norm above 2^53.5, and each is rounded by at most 1/2, which
/// changes the row by a vector of norm sqrt(k) / 2 at most; so for columns. By the Cauchy-Schwarz
/// inequality an element changes by at most sqrt(k) 2^-53.5 of the norms. Up to 2^-53 there is room
/// for both changes' product and for the fractions' last bits; the roundings of the result are far
/// fewer than k + 8.
template <Element T>
double error_bound(const Terms& terms, double reference, Accuracy accuracy) {
  const double k = static_cast<double>(terms.k);
  const double rest = 4 * kRoundoff<T> * terms.before +
                      (k + 2) * std::max(1.0, terms.alpha) * kSmallestNormal<T> + terms.flushed +
                      storing_error<T>(reference);
  if (is_bounded<T>(accuracy) && std::is_same_v<T, float>)
    return terms.alpha * ((k + 8) * 0x1p-22 * terms.magnitude + k * 0x1p-38 * terms.norms) + rest;
  if (is_bounded<T>(accuracy))
    return terms.alpha * kRoundoff<T> * ((k + 8) * terms.magnitude + std::sqrt(k) * terms.norms) +
           rest;
  return (k + 8) * kRoundoff<T> * terms.alpha * terms.magnitude + rest;
}

/// Whether an intermediate sum may overflow. Nothing is guaranteed for such an element.
template <Element T>
bool may_overflow(const Terms& terms) {
  constexpr double kMax = std::is_same_v<T, double> ? std::numeric_limits<double>::max()
                                                    : std::numeric_limits<float>::max();
  return !(std::max(1.0, terms.alpha) * terms.magnitude + terms.before <= kMax);
}

/// error / bound; if the reference is not finite, the value has to be the same.
inline double ratio(double value, double reference, double bound, double error) {
  if (std::isnan(reference)) return std::isnan(value) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isinf(reference))
    return value == reference ? 0 : std::numeric_limits<double>::infinity();
  if (!(error <= std::numeric_limits<double>::max()))
    return std::numeric_limits<double>::infinity();
  return error == 0 ? 0 : error / bound;
}

}  // namespace tessera::inline v0::reference
