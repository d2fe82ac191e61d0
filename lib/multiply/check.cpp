// Edge-case products with random operands, a poisoned output and guard zones around every matrix.
#include "multiply/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "multiply/product_function.hpp"
#include "operands/element.hpp"
#include "reference/bound.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using reference::Guarded;
using reference::random_elements;

/// Row-major matrices of one shape, one after the other.
template <Element T>
struct Stack {
  std::vector<T> elements;
  std::size_t rows, columns;

  T& at(std::size_t product, std::size_t row, std::size_t column) {
    return elements[(product * rows + row) * columns + column];
  }
};

/// Puts what is not finite into every product of `a` and `b`, in some rows of op(a) and, where
/// there are several, columns of op(b), and zeros that meet it. What else is in the product stays
/// finite.
template <Element T>
void make_non_finite(const Problem& problem, Stack<T>& a, Stack<T>& b) {
  if constexpr (!std::integral<T>) {
    const std::size_t m = problem.m, n = problem.n, k = problem.k;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto nan = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
    for (std::size_t product = 0; product < problem.batch; product++) {
      const auto in_a = [&](std::size_t i, std::size_t p) -> T& {
        return problem.transpose_a ? a.at(product, p, i) : a.at(product, i, p);
      };
      const auto in_b = [&](std::size_t p, std::size_t j) -> T& {
        return problem.transpose_b ? b.at(product, j, p) : b.at(product, p, j);
      };
      in_a(m - 1, k - 1) = static_cast<T>(kInfinity);
      in_a(m / 2, 0) = nan;
      in_a(m / 3, k / 4) = static_cast<T>(-kInfinity);
      for (std::size_t j = 0; j < n; j += 2) in_b(k / 4, j) = T(0);
      if (n == 1) continue;
      in_b(k / 2, n - 1) = static_cast<T>(-kInfinity);
      in_b(k / 3, n / 2) = nan;
      for (std::size_t i = 0; i < m; i += 2) in_a(i, k / 2) = T(0);
    }
  }
}

/// Whether a case's operands are small integers. Every order of additions then finds the sums
/// exactly, so that a wrong sum is found even if the bound of so many roundings is wide.
bool is_exact(const Problem& problem) {
  constexpr std::size_t kDeep = 2000, kDeepest = std::size_t{1} << 20;
  const bool is_integer = problem.type == ElementType::int32 || problem.type == ElementType::int8;
  return !is_integer && problem.mode.accuracy == Accuracy::ieee && problem.k >= kDeep &&
         problem.k < kDeepest;
}

/// Integers from -4 to 4: float holds every sum of 2^20 products of them.
template <Element T>
std::vector<T> small_integers(std::size_t count, std::mt19937_64& random) {
  std::vector<T> elements(count);
  for (T& element : elements) element = static_cast<T>(static_cast<float>(random() % 9) - 4);
  return elements;
}

/// Whether c is the product of small integers. Their sums are exact, so that only the scaling by
/// alpha and beta rounds.
template <Element T>
bool is_nearly_exact(const Problem& problem, std::span<const T> a, std::span<const T> b,
                     std::span<const T> before, std::span<const T> c) {
  const auto [m, n, k] = std::array{problem.m, problem.n, problem.k};
  const double alpha = problem.alpha, beta = problem.beta;
  for (std::size_t i = 0; i < m; i++) {
    for (std::size_t j = 0; j < n; j++) {
      double sum = 0;
      for (std::size_t p = 0; p < k; p++) {
        sum += reference::widened(a[problem.transpose_a ? p * m + i : i * k + p]) *
               reference::widened(b[problem.transpose_b ? j * k + p : p * n + j]);
      }
      const double old = beta == 0 ? 0 : beta * reference::widened(before[i * n + j]),
                   right = alpha * sum + old;
      const double bound = 8 * 0x1p-24 * (std::fabs(alpha * sum) + std::fabs(old)) +
                           reference::storing_error<T>(right);
      if (!(std::fabs(reference::widened(c[i * n + j]) - right) <= bound)) return false;
    }
  }
  return true;
}

template <Element T>
CheckResult check_product(const Engine& engine, const CheckCase& check_case,
                          const KernelChoice& kernel, ProductFunction<T> product) {
  using Output = ProductElement<T>;
  const Problem& problem = check_case.problem;
  const std::size_t m = problem.m, n = problem.n, k = problem.k, batch = problem.batch;
  std::mt19937_64 random(check_case.seed);
  const auto stack = [&](std::size_t rows, std::size_t columns, bool transposed) {
    if (transposed) std::swap(rows, columns);
    const std::size_t count = batch * rows * columns;
    return Stack<T>{
        is_exact(problem) ? small_integers<T>(count, random) : random_elements<T>(count, random),
        rows, columns};
  };
  Stack<T> a = stack(m, k, problem.transpose_a), b = stack(k, n, problem.transpose_b);
  if (check_case.non_finite && m * n * k > 0) make_non_finite(problem, a, b);
  const auto c = problem.beta == 0 ? std::vector<Output>(batch * m * n, reference::poison<Output>())
                                   : random_elements<Output>(batch * m * n, random);
  const bool strided = check_case.strided;
  Guarded<T> a_guarded(engine, a.rows, a.columns, strided, a.elements, batch),
      b_guarded(engine, b.rows, b.columns, strided, b.elements, batch);
  Guarded<Output> c_guarded(engine, m, n, strided, c, batch);
  const MultiplyOptions<T> options{.alpha = static_cast<Scalar<T>>(problem.alpha),
                                   .beta = static_cast<Scalar<T>>(problem.beta),
                                   .transpose_a = problem.transpose_a,
                                   .transpose_b = problem.transpose_b,
                                   .kernel = kernel,
                                   .accuracy = problem.mode.accuracy};
  CheckResult result;
  result.ran = product(BatchView<Output>{c_guarded.view(), batch, c_guarded.stride()},
                       BatchView<T>{a_guarded.view(), batch, a_guarded.stride()},
                       BatchView<T>{b_guarded.view(), batch, b_guarded.stride()}, options);
  const auto computed = c_guarded.inside();
  const auto part = [&]<class Number>(const std::vector<Number>& all, std::size_t i) {
    const std::size_t size = batch == 0 ? 0 : all.size() / batch;
    return std::span<const Number>(all).subspan(i * size, size);
  };
  for (std::size_t i = 0; i < batch; i++) {
    const auto one = verify_multiply<T>(m, n, k, part(a.elements, i), part(b.elements, i),
                                        part(c, i), part(computed, i), options);
    result.verification.merge(one);
    if constexpr (!std::integral<T>) {
      if (is_exact(problem) &&
          !is_nearly_exact<T>(problem, part(a.elements, i), part(b.elements, i), part(c, i),
                              part(computed, i)))
        result.failure = "a sum of small integers is not exact";
    }
  }
  if (!result.failure.empty()) return result;
  if (!result.verification.passed()) {
    result.failure = fmt::format("largest error {:.3g}, {:.3g} of the bound",
                                 result.verification.max_error, result.verification.worst);
  } else if (!a_guarded.intact() || !b_guarded.intact() || !c_guarded.intact()) {
    result.failure = reference::kOutsideWritten;
  }
  return result;
}

}  // namespace

CheckResult check_multiply(const Engine& engine, const CheckCase& check_case,
                           const KernelChoice& kernel) {
  return operands::with_type(check_case.problem.type, [&](auto zero) {
    using T = decltype(zero);
    return check_product<T>(engine, check_case, kernel, multiply_batched_into<T>);
  });
}

CheckResult check_matrix_vector(const Engine& engine, const CheckCase& check_case,
                                const KernelChoice& kernel) {
  return operands::with_type(check_case.problem.type, [&](auto zero) {
    using T = decltype(zero);
    return check_product<T>(engine, check_case, kernel,
                            matrix_vector_function<T>(check_case.problem));
  });
}

}  // namespace tessera::inline v0::multiplication
