// Edge-case products with random operands, a poisoned output and guard zones around every matrix.
#include "multiply/check.hpp"

#include <fmt/format.h>

#include <random>
#include <span>
#include <utility>

#include "multiply/product_function.hpp"
#include "operands/element.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using reference::Guarded;
using reference::random_elements;

template <Element T>
CheckResult check_product(const Engine& engine, const CheckCase& check_case,
                          const KernelChoice& kernel, ProductFunction<T> product) {
  using Output = ProductElement<T>;
  const Problem& problem = check_case.problem;
  const std::size_t m = problem.m, n = problem.n, k = problem.k, batch = problem.batch;
  std::mt19937_64 random(check_case.seed);
  const auto a = random_elements<T>(batch * m * k, random),
             b = random_elements<T>(batch * k * n, random);
  const auto c = problem.beta == 0 ? std::vector<Output>(batch * m * n, reference::poison<Output>())
                                   : random_elements<Output>(batch * m * n, random);
  const auto guarded = [&]<class Number>(const std::vector<Number>& elements, std::size_t rows,
                                         std::size_t columns, bool transposed) {
    if (transposed) std::swap(rows, columns);
    return Guarded<Number>(engine, batch * rows, columns, check_case.strided, elements);
  };
  Guarded<T> a_guarded = guarded(a, m, k, problem.transpose_a),
             b_guarded = guarded(b, k, n, problem.transpose_b);
  Guarded<Output> c_guarded = guarded(c, m, n, false);
  const MultiplyOptions<T> options{.alpha = static_cast<Scalar<T>>(problem.alpha),
                                   .beta = static_cast<Scalar<T>>(problem.beta),
                                   .transpose_a = problem.transpose_a,
                                   .transpose_b = problem.transpose_b,
                                   .kernel = kernel,
                                   .accuracy = problem.mode.accuracy};
  CheckResult result;
  result.ran =
      product(batch_of<Output>(c_guarded.view(), batch), batch_of<T>(a_guarded.view(), batch),
              batch_of<T>(b_guarded.view(), batch), options);
  const auto computed = c_guarded.inside();
  const auto part = [&]<class Number>(const std::vector<Number>& all, std::size_t i) {
    const std::size_t size = batch == 0 ? 0 : all.size() / batch;
    return std::span<const Number>(all).subspan(i * size, size);
  };
  for (std::size_t i = 0; i < batch; i++) {
    const auto one =
        verify_multiply<T>(m, n, k, part(a, i), part(b, i), part(c, i), part(computed, i), options);
    result.verification.merge(one);
  }
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
