// Bound: how far an element of a product may be from its exact value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "operands/element.hpp"
#include "tessera/element_type.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::reference {

/// A value, and how far a device's may be from it.
struct Bounded {
  double value, bound;
};

/// The unit roundoff and the smallest normal number of the type in which numbers are summed.
constexpr double roundoff(ElementType sum) {
  return operands::part_type(sum) == ElementType::float64 ? 0x1p-53 : 0x1p-24;
}
constexpr double smallest_normal(ElementType sum) {
  return operands::part_type(sum) == ElementType::float64 ? 0x1p-1022 : 0x1p-126;
}

/// The error of storing a sum of that size as an element: half and bfloat16 are summed in float.
inline double storing_error(ElementType stored, double value) {
  if (stored == ElementType::float16) return 0x1p-11 * std::fabs(value) + 0x1p-25;
  if (stored == ElementType::bfloat16) return 0x1p-8 * std::fabs(value) + 0x1p-134;
  return 0;
}

/// The terms of an element of a product: `k` products and the sum of their magnitudes, |alpha|,
/// |beta c|, and, if is_bounded(), the row's norm times the column's: the largest magnitude in a
/// row of floats, the Euclidean norm of a row of doubles; of complex rows, the norms of their
/// parts. `flushed` is what a device leaves out that treats
/// subnormal inputs as 0. Of complex numbers, magnitudes are absolute values, but `alpha` is the
/// sum of the magnitudes of its parts.
struct Terms {
  std::size_t k;
  double magnitude, alpha = 1, before = 0, norms = 0, flushed = 0;
};

/// Returns whether a device may treat an element, or a part of one, as 0. Every half is 0 or a
/// normal float.
inline bool may_be_flushed(ElementType type, double value) {
  const bool has_floats_range =
      operands::part_type(type) == ElementType::float32 || type == ElementType::bfloat16;
  return has_floats_range && std::fabs(value) < smallest_normal(ElementType::float32);
}

/// Returns whether Accuracy::bounded has its own bound, as for float, double, and complex numbers
/// of them.
constexpr bool is_bounded(const ProductTypes& types, Accuracy accuracy) {
  const ElementType number = operands::part_type(types.a);
  const bool has_bound = number == ElementType::float32 || number == ElementType::float64;
  return has_bound && accuracy == Accuracy::bounded;
}

/// The bound that `multiply` documents, for an element whose exact value is `reference`; if
/// is_bounded(), Accuracy::bounded has its own. Double by residues (cl/nvidia/residue_planes.cl):
/// unless it is zero, a row's integers have a norm above 2^53.5, and each is rounded by at most
/// 1/2, which changes the row by a vector of norm sqrt(k) / 2 at most; so for columns. By the
/// Cauchy-Schwarz inequality an element changes by at most sqrt(k) 2^-53.5 of the norms. Up to
/// 2^-53 there is room for both changes' product and for the fractions' last bits; the roundings of
/// the result are far fewer than k + 8. A row of complex integers has 2 k parts that are rounded,
/// and a norm above 2^54.
///
/// Complex: each part of a sum is a real sum of 2 k products, with an error of at most 2 k u times
/// the sum of |a||b|, or the error of such a real sum in Accuracy::bounded. Scaling by alpha adds
/// the errors of both parts, times the magnitudes of alpha's parts, and rounds twice; adding beta c
/// rounds twice more.
inline double error_bound(const ProductTypes& types, const Terms& terms, double reference,
                          Accuracy accuracy) {
  const bool has_parts = is_complex(types.a);
  const double k = static_cast<double>(operands::parts_of(types.a) * terms.k),
               u = roundoff(types.sum);
  const double rest =
      4 * u * terms.before +
      (k + (has_parts ? 8 : 2)) * std::max(1.0, terms.alpha) * smallest_normal(types.sum) +
      terms.flushed + storing_error(types.c, reference);
  if (!is_bounded(types, accuracy)) return (k + 8) * u * terms.alpha * terms.magnitude + rest;
  if (operands::part_type(types.sum) == ElementType::float64)
    return terms.alpha * u * ((k + 8) * terms.magnitude + std::sqrt(k) * terms.norms) + rest;
  return terms.alpha * ((k + 8) * 0x1p-22 * terms.magnitude + k * 0x1p-38 * terms.norms) + rest;
}

/// Returns whether an intermediate sum can overflow. Such an element has no bound.
inline bool may_overflow(ElementType sum, const Terms& terms) {
  const double max = operands::part_type(sum) == ElementType::float64
                         ? std::numeric_limits<double>::max()
                         : std::numeric_limits<float>::max();
  return !(std::max(1.0, terms.alpha) * terms.magnitude + terms.before <= max);
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
