// Reference products on the host, and the bound that a device's result has to meet.
#include "reference/product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/bound.hpp"
#include "reference/sample.hpp"
#include "runtime/standard_arithmetic.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace reference {
namespace {

/// A row of a and a column of b, both contiguous.
struct Lines {
  const double *a, *b;
  std::size_t k;
};

/// The norm of a row of a times the norm of a column of b, as Accuracy::bounded defines them.
double norms(const Lines& of, ElementType type) {
  if (type == ElementType::float64) {
    long double of_a = 0, of_b = 0;
    for (std::size_t p = 0; p < of.k; p++) {
      of_a += static_cast<long double>(of.a[p]) * of.a[p];
      of_b += static_cast<long double>(of.b[p]) * of.b[p];
    }
    return static_cast<double>(std::sqrt(of_a) * std::sqrt(of_b));
  }
  double of_a = 0, of_b = 0;
  for (std::size_t p = 0; p < of.k; p++) {
    of_a = std::max(of_a, std::fabs(of.a[p]));
    of_b = std::max(of_b, std::fabs(of.b[p]));
  }
  return of_a * of_b;
}

/// One element of the reference with the terms of its bound.
struct Expected {
  double value = 0;
  Terms terms = {};
};

/// alpha * sum of products + beta * before.
template <class Sum>
Expected expected_in(const Lines& of, const ProductTypes& types, double alpha, double beta,
                     double before) {
  Sum sum = 0, products = 0, flushed = 0;
  for (std::size_t p = 0; p < of.k; p++) {
    const Sum product = static_cast<Sum>(of.a[p]) * of.b[p];
    sum += product;
    products += std::fabs(product);
    if (may_be_flushed(types.a, of.a[p]) || may_be_flushed(types.b, of.b[p]))
      flushed += std::fabs(product);
  }
  return {static_cast<double>(alpha * sum + static_cast<Sum>(beta) * before),
          {.k = of.k,
           .magnitude = static_cast<double>(products),
           .alpha = std::fabs(alpha),
           .before = std::fabs(beta * before),
           .flushed = std::fabs(alpha) * static_cast<double>(flushed) +
                      (may_be_flushed(types.c, before) ? std::fabs(beta * before) : 0)}};
}

/// Sums of float products are exact enough in double. Sums of double products are accumulated in
/// long double.
Expected expected(const Lines& of, const ProductTypes& types, double alpha, double beta,
                  double before) {
  return types.sum == ElementType::float64
             ? expected_in<long double>(of, types, alpha, beta, before)
             : expected_in<double>(of, types, alpha, beta, before);
}

/// Holds every sum of fewer than 2^33 products of int32, times an int32.
__extension__ typedef __int128 Wide;

/// The same for integers, exactly.
Wide exact(const Lines& of, double alpha, double beta, double before) {
  const auto wide = [](double number) { return Wide{static_cast<std::int64_t>(number)}; };
  Wide sum = 0;
  for (std::size_t p = 0; p < of.k; p++) sum += wide(of.a[p]) * wide(of.b[p]);
  return wide(alpha) * sum + wide(beta) * wide(before);
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
void record_integer(Verification& verification, double value, Wide right) {
  const auto modular = static_cast<std::int32_t>(right);
  if (modular != right) verification.wrapped++;
  const double error = std::fabs(value - modular);
  record(verification, error == 0 ? 0 : std::numeric_limits<double>::infinity(), error, 0);
}

/// Takes one element of a product of reals into account, with these terms of its bound.
void record_real(Verification& verification, double value, const ProductTypes& types,
                 const Expected& right, Accuracy accuracy) {
  if (std::isfinite(right.value) && may_overflow(types.sum, right.terms)) {
    verification.elements++;
    verification.unbounded++;
    return;
  }
  const double bound = error_bound(types, right.terms, right.value, accuracy);
  // A value beyond the range of the stored type becomes infinity.
  const double stored = operands::rounded(types.c, right.value);
  const double exact_value = std::isinf(stored) ? stored : right.value;
  const double error = std::fabs(value - exact_value);
  const bool any_non_finite =
      accuracy == Accuracy::bounded && !std::isfinite(exact_value) && !std::isfinite(value);
  record(verification, any_non_finite ? 0 : ratio(value, exact_value, bound, error), error, bound);
}

/// Some lines of a matrix, each in one piece, as they are read more than once: element p of line i
/// is at `i * line + p * step`.
std::vector<double> gathered(const operands::Elements& from, std::size_t line, std::size_t step,
                             const std::vector<std::size_t>& lines, std::size_t length) {
  std::vector<double> together;
  together.reserve(lines.size() * length);
  for (const std::size_t i : lines) {
    for (std::size_t p = 0; p < length; p++) together.push_back(from[i * line + p * step]);
  }
  return together;
}

}  // namespace

Verification verify(const Product& product, const MultiplyOptions& options,
                    const VerifySample& sample) {
  const auto& [types, rows, columns, depth, a, b, before, c, op_a, op_b] = product;
  if (rows == 0 || columns == 0) return {};
  const runtime::StandardArithmetic arithmetic;
  double alpha = operands::factor_of("verify_multiply", "alpha", options.alpha, types.sum);
  const double beta = operands::factor_of("verify_multiply", "beta", options.beta, types.sum);
  const std::size_t k = alpha == 0 ? 0 : depth;
  if (k == 0) alpha = 0;
  const Crossings at(rows, columns, static_cast<double>(sample.max_elements), sample.seed);
  const bool turned_a = is_transposed(op_a), turned_b = is_transposed(op_b);
  const auto rows_of_a = gathered(a, turned_a ? 1 : depth, turned_a ? rows : 1, at.rows, k);
  const auto columns_of_b =
      gathered(b, turned_b ? depth : 1, turned_b ? 1 : columns, at.columns, k);
  Verification verification;
  for (std::size_t i = 0; i < at.rows.size(); i++) {
    for (std::size_t j = 0; j < at.columns.size(); j++) {
      const std::size_t place = at.rows[i] * columns + at.columns[j];
      const double old = beta == 0 ? 0 : before[place];
      const Lines lines{rows_of_a.data() + i * k, columns_of_b.data() + j * k, k};
      if (operands::is_integer(types.a)) {
        record_integer(verification, c[place], exact(lines, alpha, beta, old));
        continue;
      }
      Expected right = expected(lines, types, alpha, beta, old);
      if (is_bounded(types, options.accuracy)) right.terms.norms = norms(lines, types.a);
      record_real(verification, c[place], types, right, options.accuracy);
    }
  }
  return verification;
}

}  // namespace reference

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

Verification detail::verify_multiply(const UntypedProduct& product, const MultiplyOptions& options,
                                     const VerifySample& sample) {
  const auto holds = [](const HostArray& array, std::size_t m, std::size_t n) {
    return m == 0 || n == 0 ? array.count == 0 : array.count / m == n && array.count % m == 0;
  };
  const auto& [types, rows, columns, k, a, b, c_before, c, op_a, op_b] = product;
  if (!holds(a, rows, k) || !holds(b, k, columns) || !holds(c, rows, columns) ||
      (options.beta != 0 && c_before.count != c.count)) {
    throw MatrixError(ErrorCode::invalid_shape,
                      "verify_multiply: a span has not as many elements as its matrix");
  }
  return reference::verify({types,
                            rows,
                            columns,
                            k,
                            {types.a, a.data},
                            {types.b, b.data},
                            {types.c, c_before.data},
                            {types.c, c.data},
                            op_a,
                            op_b},
                           options, sample);
}

}  // namespace tessera::inline v0
