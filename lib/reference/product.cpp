// Reference products on the host, and the bound that a device's result has to meet.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>
#include <vector>

#include "reference/bound.hpp"
#include "reference/sample.hpp"
#include "runtime/standard_arithmetic.hpp"
#include "tessera/error.hpp"
#include "tessera/verify.hpp"

namespace tessera::inline v0 {
namespace {

using reference::ratio;
using reference::widened;

/// An operand after its transpose.
template <Element T>
struct Operand {
  const T* data;
  std::size_t row, column;
  T at(std::size_t i, std::size_t j) const { return data[i * row + j * column]; }
};

/// The norm of row i of a times that of column j of b, as the bound of Accuracy::bounded has them.
template <Element T>
double norms(const Operand<T>& a, const Operand<T>& b, std::size_t i, std::size_t j,
             std::size_t k) {
  if constexpr (std::is_same_v<T, double>) {
    long double of_a = 0, of_b = 0;
    for (std::size_t p = 0; p < k; p++) {
      of_a += static_cast<long double>(a.at(i, p)) * a.at(i, p);
      of_b += static_cast<long double>(b.at(p, j)) * b.at(p, j);
    }
    return static_cast<double>(std::sqrt(of_a) * std::sqrt(of_b));
  } else {
    double of_a = 0, of_b = 0;
    for (std::size_t p = 0; p < k; p++) {
      of_a = std::max(of_a, std::fabs(widened(a.at(i, p))));
      of_b = std::max(of_b, std::fabs(widened(b.at(p, j))));
    }
    return of_a * of_b;
  }
}

/// One element of the reference with the terms of its bound.
struct Expected {
  double value = 0;
  reference::Terms terms = {};
};

/// alpha * sum of products + beta * c. Sums of float products are exact enough in double; those of
/// double products are accumulated in long double.
template <Element T>
Expected expected(const Operand<T>& a, const Operand<T>& b, std::size_t i, std::size_t j,
                  std::size_t k, double alpha, double beta, double before) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, long double, double>;
  Sum sum = 0, products = 0, flushed = 0;
  for (std::size_t p = 0; p < k; p++) {
    const double left = widened(a.at(i, p)), right = widened(b.at(p, j));
    const Sum product = static_cast<Sum>(left) * right;
    sum += product;
    products += std::fabs(product);
    if (reference::may_be_flushed<T>(left) || reference::may_be_flushed<T>(right))
      flushed += std::fabs(product);
  }
  return {static_cast<double>(alpha * sum + static_cast<Sum>(beta) * before),
          {.k = k,
           .magnitude = static_cast<double>(products),
           .alpha = std::fabs(alpha),
           .before = std::fabs(beta * before),
           .flushed = std::fabs(alpha) * static_cast<double>(flushed) +
                      (reference::may_be_flushed<T>(before) ? std::fabs(beta * before) : 0)}};
}

/// Holds every sum of fewer than 2^33 products of int32, times an int32.
__extension__ typedef __int128 Wide;

/// The same for integers, exactly.
template <std::integral T>
Wide exact(const Operand<T>& a, const Operand<T>& b, std::size_t i, std::size_t j, std::size_t k,
           std::int32_t alpha, std::int32_t beta, std::int32_t before) {
  Wide sum = 0;
  for (std::size_t p = 0; p < k; p++) sum += std::int64_t{a.at(i, p)} * b.at(p, j);
  return alpha * sum + std::int64_t{beta} * before;
}

/// Takes one element into account.
void record(Verification& verification, double ratio, double error, double bound) {
  verification.elements++;
  verification.max_error = std::max(verification.max_error, std::isnan(error) ? 0 : error);
  if (!(ratio <= verification.worst) || verification.elements == 1) {
    verification.worst = ratio;
    verification.error_bound = bound;
  }
}

/// Takes one element of a product of integers into account, which is right modulo 2^32.
void record_integer(Verification& verification, std::int32_t value, Wide right) {
  const auto modular = static_cast<std::int32_t>(right);
  if (modular != right) verification.wrapped++;
  const double error = std::fabs(static_cast<double>(value) - modular);
  record(verification, error == 0 ? 0 : std::numeric_limits<double>::infinity(), error, 0);
}

/// Takes one element of a product of reals into account, which is `right` by the reference, with
/// these terms.
template <Element T>
void record_real(Verification& verification, double value, double right,
                 const reference::Terms& terms, Accuracy accuracy) {
  if (std::isfinite(right) && reference::may_overflow<T>(terms)) {
    verification.elements++;
    verification.unbounded++;
    return;
  }
  const double bound = reference::error_bound<T>(terms, right, accuracy);
  // A value beyond the range of the stored type becomes infinity.
  const double stored = widened(static_cast<T>(static_cast<Scalar<T>>(right)));
  const double exact_value = std::isinf(stored) ? stored : right;
  const double error = std::fabs(value - exact_value);
  const bool any_non_finite =
      accuracy == Accuracy::bounded && !std::isfinite(exact_value) && !std::isfinite(value);
  record(verification, any_non_finite ? 0 : ratio(value, exact_value, bound, error), error, bound);
}

}  // namespace

void Verification::merge(const Verification& other) {
  if (other.elements == 0) return;
  if (!(other.worst <= worst) || elements == 0) {
    worst = other.worst;
    error_bound = other.error_bound;
  }
  max_error = std::max(max_error, other.max_error);
  elements += other.elements;
  unbounded += other.unbounded;
  wrapped += other.wrapped;
}

namespace {

/// Some rows of a matrix, or columns as rows, each in one piece: they are read more than once.
template <Element T>
std::vector<T> gathered(const Operand<T>& from, const std::vector<std::size_t>& rows,
                        std::size_t length) {
  std::vector<T> together;
  together.reserve(rows.size() * length);
  for (const std::size_t row : rows) {
    for (std::size_t p = 0; p < length; p++) together.push_back(from.at(row, p));
  }
  return together;
}

template <Element T>
void require_sizes(std::size_t rows, std::size_t columns, std::size_t k, std::span<const T> a,
                   std::span<const T> b, std::span<const ProductElement<T>> c_before,
                   std::span<const ProductElement<T>> c, bool reads_c) {
  const auto holds = [](std::size_t elements, std::size_t m, std::size_t n) {
    return m == 0 || n == 0 ? elements == 0 : elements / m == n && elements % m == 0;
  };
  if (!holds(a.size(), rows, k) || !holds(b.size(), k, columns) ||
      !holds(c.size(), rows, columns) || (reads_c && c_before.size() != c.size())) {
    throw MatrixError(ErrorCode::invalid_shape,
                      "verify_multiply: a span has not as many elements as its matrix");
  }
}

}  // namespace

template <class T>
Verification verify_multiply(std::size_t rows, std::size_t columns, std::size_t k,
                             std::span<const T> a, std::span<const T> b,
                             std::span<const ProductElement<T>> c_before,
                             std::span<const ProductElement<T>> c,
                             const MultiplyOptions<T>& options, const VerifySample& sample) {
  require_sizes<T>(rows, columns, k, a, b, c_before, c, options.beta != 0);
  if (c.empty()) return {};
  const runtime::StandardArithmetic arithmetic;
  const std::size_t used = options.alpha == 0 ? 0 : k;
  const reference::Crossings at(rows, columns, static_cast<double>(sample.max_elements),
                                sample.seed);
  const auto rows_of_a = gathered<T>(
      {a.data(), options.transpose_a ? 1 : k, options.transpose_a ? rows : 1}, at.rows, used);
  const auto columns_of_b = gathered<T>(
      {b.data(), options.transpose_b ? k : 1, options.transpose_b ? 1 : columns}, at.columns, used);
  const Operand<T> left{rows_of_a.data(), used, 1}, right{columns_of_b.data(), 1, used};
  Verification verification;
  for (std::size_t i = 0; i < at.rows.size(); i++) {
    for (std::size_t j = 0; j < at.columns.size(); j++) {
      const std::size_t place = at.rows[i] * columns + at.columns[j];
      const auto before = options.beta == 0 ? ProductElement<T>() : c_before[place];
      if constexpr (std::integral<T>) {
        record_integer(verification, c[place],
                       exact(left, right, i, j, used, options.alpha, options.beta, before));
      } else {
        auto [reference, terms] =
            expected(left, right, i, j, used, used == 0 ? 0 : static_cast<double>(options.alpha),
                     options.beta, widened(before));
        if (reference::is_bounded<T>(options.accuracy))
          terms.norms = norms(left, right, i, j, used);
        record_real<T>(verification, widened(c[place]), reference, terms, options.accuracy);
      }
    }
  }
  return verification;
}

#define TESSERA_VERIFY(T)                                                                          \
  template Verification verify_multiply(std::size_t, std::size_t, std::size_t, std::span<const T>, \
                                        std::span<const T>, std::span<const ProductElement<T>>,    \
                                        std::span<const ProductElement<T>>,                        \
                                        const MultiplyOptions<T>&, const VerifySample&);
TESSERA_VERIFY(float)
TESSERA_VERIFY(double)
TESSERA_VERIFY(std::int32_t)
TESSERA_VERIFY(half)
TESSERA_VERIFY(std::int8_t)
#undef TESSERA_VERIFY

}  // namespace tessera::inline v0
