// ExactProduct: judges the elements of a product by the bound that multiply() documents, in 128
// bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tessera/multiply.hpp>
#include <type_traits>

namespace tessera::test {

/// 113 bits: products of two doubles are exact, and their sums are as good as exact.
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Exact;
#else
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 113);
#endif

enum class Judgement {
  right,
  wrong,
  unbounded  ///< the terms may overflow: nothing is promised
};

/// c = alpha * row of a * column of b + beta * c before, for elements of a floating-point type.
template <Element T, Element C>
class ExactProduct {
 public:
  ExactProduct(std::size_t k, double alpha, double beta, Accuracy accuracy)
      : k_(alpha == 0 ? 0 : k), alpha_(k_ == 0 ? 0 : alpha), beta_(beta), accuracy_(accuracy) {}

  /// Extended precision decides where its own error cannot matter, and `thoroughly` lets 128 bits
  /// decide everything.
  Judgement judge(const double* row, const double* column, double before, double computed,
                  bool thoroughly) {
    if (beta_ == 0) before = 0;
    if (const auto special = not_finite(row, column, before)) {
      if (bound<long double>(row, column, before).terms > kMax) return Judgement::unbounded;
      const bool same = std::isnan(*special) ? std::isnan(computed) : computed == *special;
      return same || (accuracy_ == Accuracy::bounded && !std::isfinite(computed))
                 ? Judgement::right
                 : Judgement::wrong;
    }
    if (!thoroughly) {
      const auto near = bound<long double>(row, column, before);
      if (near.terms > kMax * 1.0001L) return Judgement::unbounded;
      const long double doubt = 0x1p-62L * static_cast<long double>(k_ + 8) * near.terms;
      if (admits(near.value, near.error - doubt, computed)) {
        const auto error = static_cast<double>(std::fabs(near.value - computed));
        if (!kIsRounded && error > 0)
          worst_ = std::max(worst_, error / static_cast<double>(near.error));
        return Judgement::right;
      }
    }
    const auto exact = bound<Exact>(row, column, before);
    value_ = static_cast<double>(exact.value);
    error_ = static_cast<double>(exact.error);
    if (admits(exact.value, exact.error, computed)) return Judgement::right;
    return exact.terms > kMax ? Judgement::unbounded : Judgement::wrong;
  }

  /// Largest error / bound; not for half and bfloat16, to which results are rounded once more.
  double worst() const { return worst_; }
  /// Value and error of the last element that 128 bits decided.
  double value() const { return value_; }
  double error() const { return error_; }

 private:
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  static constexpr bool kIsRounded = !std::is_same_v<C, Sum>;
  static constexpr double kRoundoff = std::numeric_limits<Sum>::epsilon() / 2;
  static constexpr double kSmallestNormal = std::numeric_limits<Sum>::min();
  static constexpr double kMax = std::numeric_limits<Sum>::max();

  template <class Real>
  struct Bound {
    Real value = 0, error = 0;
    Real terms = 0;  ///< what must not overflow: max(1, |alpha|) sum |a||b| + |beta||c|
  };

  /// Non-finite terms are left out.
  template <class Real>
  Bound<Real> bound(const double* row, const double* column, double before) const {
    Real sum = 0, magnitude = 0;
    double largest_a = 0, largest_b = 0;
    for (std::size_t p = 0; p < k_; p++) {
      if (!std::isfinite(row[p]) || !std::isfinite(column[p])) continue;
      const Real product = static_cast<Real>(row[p]) * column[p];
      sum += product;
      magnitude += product < 0 ? -product : product;
      largest_a = std::max(largest_a, std::fabs(row[p]));
      largest_b = std::max(largest_b, std::fabs(column[p]));
    }
    const Real k = static_cast<Real>(k_), alpha = std::fabs(alpha_),
               scale = std::max(1.0, std::fabs(alpha_));
    const Real rest = std::isfinite(before) ? static_cast<Real>(beta_) * before : Real(0);
    const Real added = rest < 0 ? -rest : rest;
    Real error = 4 * kRoundoff * added + (k + 2) * scale * kSmallestNormal;
    if (accuracy_ == Accuracy::bounded && std::is_same_v<T, float>) {
      error += alpha * ((k + 8) * 0x1p-22 * magnitude + k * 0x1p-38 * largest_a * largest_b);
    } else {
      error += alpha * (k + 8) * kRoundoff * magnitude;
    }
    return {alpha_ * sum + rest, error, scale * magnitude + added};
  }

  /// Whether it is within `error` of `value`, or, for half and bfloat16, what such a float rounds
  /// to.
  template <class Real>
  static bool admits(Real value, Real error, double computed) {
    if (!(error >= 0)) return false;
    const Real low = value - error, high = value + error;
    if constexpr (kIsRounded) {
      return rounded(low) <= computed && computed <= rounded(high);
    } else {
      return low <= computed && computed <= high;
    }
  }

  template <class Real>
  static double rounded(Real value) {
    return static_cast<float>(C(static_cast<float>(value)));
  }

  /// Infinities and NaN go where float arithmetic takes them.
  std::optional<double> not_finite(const double* row, const double* column, double before) const {
    double sum = std::isnan(alpha_) ? alpha_ : 0;
    for (std::size_t p = 0; p < k_; p++) {
      if (!std::isfinite(row[p]) || !std::isfinite(column[p])) sum += row[p] * column[p];
    }
    const double result =
        alpha_ * sum + (std::isfinite(before) && !std::isnan(beta_) ? 0 : beta_ * before);
    return std::isfinite(result) ? std::nullopt : std::optional(result);
  }

  std::size_t k_;
  double alpha_, beta_;
  Accuracy accuracy_;
  double worst_ = 0, value_ = 0, error_ = 0;
};

/// The same for int32, modulo 2^32.
template <>
class ExactProduct<std::int32_t, std::int32_t> {
 public:
  ExactProduct(std::size_t k, double alpha, double beta, Accuracy)
      : k_(k), alpha_(number(alpha)), beta_(number(beta)) {}

  Judgement judge(const double* row, const double* column, double before, double computed, bool) {
    std::uint32_t sum = 0;
    for (std::size_t p = 0; p < k_; p++) sum += number(row[p]) * number(column[p]);
    value_ = static_cast<std::int32_t>(alpha_ * sum + beta_ * number(before));
    return computed == value_ ? Judgement::right : Judgement::wrong;
  }

  double worst() const { return 0; }
  double value() const { return value_; }
  double error() const { return 0; }

 private:
  static std::uint32_t number(double value) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
  }

  std::size_t k_;
  std::uint32_t alpha_, beta_;
  double value_ = 0;
};

/// The same for products of int8.
template <>
class ExactProduct<std::int8_t, std::int32_t> : public ExactProduct<std::int32_t, std::int32_t> {
 public:
  using ExactProduct<std::int32_t, std::int32_t>::ExactProduct;
};

}  // namespace tessera::test
