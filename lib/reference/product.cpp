// Reference products on the host, and the bound that a device's result has to meet.
#include "reference/product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/bound.hpp"
#include "reference/expected.hpp"
#include "reference/sample.hpp"
#include "runtime/standard_arithmetic.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace reference {
namespace {

/// The norm of a row of a times the norm of a column of b, as Accuracy::bounded defines them.
double norms(const Lines& of, ElementType type) {
  const std::size_t count = of.k * operands::parts_of(type);
  if (operands::part_type(type) == ElementType::float64) {
    long double of_a = 0, of_b = 0;
    for (std::size_t p = 0; p < count; p++) {
      of_a += static_cast<long double>(of.a[p]) * of.a[p];
      of_b += static_cast<long double>(of.b[p]) * of.b[p];
    }
    return static_cast<double>(std::sqrt(of_a) * std::sqrt(of_b));
  }
  double of_a = 0, of_b = 0;
  for (std::size_t p = 0; p < count; p++) {
    of_a = std::max(of_a, std::fabs(of.a[p]));
    of_b = std::max(of_b, std::fabs(of.b[p]));
  }
  return of_a * of_b;
}

/// Holds every sum of fewer than 2^33 products of int32, times an int32.
__extension__ typedef __int128 Wide;

/// The same for integers, exactly.
Wide exact(const Lines& of, const Update& update) {
  const auto wide = [](double number) { return Wide{static_cast<std::int64_t>(number)}; };
  Wide sum = 0;
  for (std::size_t p = 0; p < of.k; p++) sum += wide(of.a[p]) * wide(of.b[p]);
  return wide(update.alpha.real()) * sum + wide(update.beta.real()) * wide(update.before[0]);
}

/// Takes an element into account, or a part of one.
void record(Verification& verification, double ratio, double error, double bound) {
  verification.max_error = std::max(verification.max_error, std::isnan(error) ? 0 : error);
  const bool is_first = verification.worst == 0 && verification.error_bound == 0;
  if (!(ratio <= verification.worst) || is_first) {
    verification.worst = ratio;
    verification.error_bound = bound;
  }
}

/// Takes an element of a product of integers into account, which is right modulo 2^32.
void record_integer(Verification& verification, double value, Wide right) {
  const auto modular = static_cast<std::int32_t>(right);
  if (modular != right) verification.wrapped++;
  const double error = std::fabs(value - modular);
  record(verification, error == 0 ? 0 : std::numeric_limits<double>::infinity(), error, 0);
}

/// Takes an element of a product of reals into account, or a part of a complex one, with these
/// terms of its bound.
void record_real(Verification& verification, double value, const ProductTypes& types, double right,
                 const Terms& terms, Accuracy accuracy) {
  const double bound = error_bound(types, terms, right, accuracy);
  // A value beyond the range of the stored type becomes infinity.
  const double stored = operands::rounded(types.c, right);
  const double exact_value = std::isinf(stored) ? stored : right;
  const double error = std::fabs(value - exact_value);
  const bool any_non_finite =
      accuracy == Accuracy::bounded && !std::isfinite(exact_value) && !std::isfinite(value);
  record(verification, any_non_finite ? 0 : ratio(value, exact_value, bound, error), error, bound);
}

/// Where the elements of a matrix are: element p of line i is at `i * line + p * step`, and has
/// `parts` parts.
struct Places {
  std::size_t line, step, parts;
  bool conjugated;
};

/// Some lines of a matrix, each in one piece, as they are read more than once.
std::vector<double> gathered(const operands::Elements& from, const Places& at,
                             const std::vector<std::size_t>& lines, std::size_t length) {
  std::vector<double> together;
  together.reserve(lines.size() * length * at.parts);
  for (const std::size_t i : lines) {
    for (std::size_t p = 0; p < length; p++) {
      const std::size_t place = (i * at.line + p * at.step) * at.parts;
      together.push_back(from[place]);
      if (at.parts == 1) continue;
      together.push_back(at.conjugated ? -from[place + 1] : from[place + 1]);
    }
  }
  return together;
}

/// The parts of an element; of a real one, the element and 0.
std::array<double, 2> parts_at(const operands::Elements& from, std::size_t place,
                               std::size_t parts) {
  if (parts == 1) return {from[place]};
  return {from[2 * place], from[2 * place + 1]};
}

}  // namespace

Verification verify(const Product& product, const MultiplyOptions& options,
                    const VerifySample& sample) {
  const auto& [types, rows, columns, depth, a, b, before, c, op_a, op_b, exact_sums] = product;
  if (rows == 0 || columns == 0) return {};
  const runtime::StandardArithmetic arithmetic;
  Scalar alpha = operands::factor_of("verify_multiply", "alpha", options.alpha, types.sum);
  const Scalar beta = operands::factor_of("verify_multiply", "beta", options.beta, types.sum);
  const std::size_t k = alpha == 0 ? 0 : depth, parts = operands::parts_of(types.a);
  if (k == 0) alpha = 0;
  const Crossings at(rows, columns, static_cast<double>(sample.max_elements), sample.seed);
  const bool turned_a = is_transposed(op_a), turned_b = is_transposed(op_b);
  const Places in_a{turned_a ? 1 : depth, turned_a ? rows : 1, parts, is_conjugated(op_a)},
      in_b{turned_b ? depth : 1, turned_b ? 1 : columns, parts, is_conjugated(op_b)};
  const auto rows_of_a = gathered(a, in_a, at.rows, k);
  const auto columns_of_b = gathered(b, in_b, at.columns, k);
  Verification verification;
  for (std::size_t i = 0; i < at.rows.size(); i++) {
    for (std::size_t j = 0; j < at.columns.size(); j++) {
      const std::size_t place = at.rows[i] * columns + at.columns[j];
      const Update update{alpha, beta,
                          beta == 0 ? std::array<double, 2>{} : parts_at(before, place, parts)};
      const Lines lines{rows_of_a.data() + i * k * parts, columns_of_b.data() + j * k * parts, k};
      verification.elements++;
      if (operands::is_integer(types.a)) {
        record_integer(verification, c[place], exact(lines, update));
        continue;
      }
      Expected right = expected(lines, types, update);
      if (exact_sums) {
        right.terms.k = 0;
        right.terms.magnitude = right.sum;
      }
      if (is_bounded(types, options.accuracy)) right.terms.norms = norms(lines, types.a);
      const auto computed = parts_at(c, place, parts);
      if (may_overflow(types.sum, right.terms)) {
        verification.unbounded++;
        continue;
      }
      for (std::size_t part = 0; part < parts; part++) {
        record_real(verification, computed[part], types, right.value[part], right.terms,
                    options.accuracy);
      }
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
