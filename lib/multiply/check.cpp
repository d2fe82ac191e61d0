// Edge-case products with random operands, a poisoned output and guard zones around every matrix.
#include "multiply/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "multiply/product_function.hpp"
#include "multiply/run.hpp"
#include "operands/numbers.hpp"
#include "reference/bound.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"
#include "reference/product.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::Elements;
using reference::Guarded;
using reference::random_elements;

/// Row-major matrices of one shape, one after the other.
struct Stack {
  std::vector<double> elements;  ///< of complex ones, both parts
  std::size_t rows, columns, parts;

  double& at(std::size_t product, std::size_t row, std::size_t column, std::size_t part) {
    return elements[((product * rows + row) * columns + column) * parts + part % parts];
  }
  /// The matrix of one product.
  Elements of(std::size_t product) const {
    return {ElementType::float64, elements.data() + product * rows * columns * parts};
  }
};

/// Puts infinities and NaNs into some rows of op(a) of every product. If op(b) has several columns,
/// some of them get infinities and NaNs, too, and op(a) gets zeros that meet them. Elements of the
/// product stay finite in the other rows and columns. Of complex elements, one part is changed.
void make_non_finite(const Problem& problem, Stack& a, Stack& b) {
  const std::size_t m = problem.m, n = problem.n, k = problem.k;
  constexpr double kInfinity = std::numeric_limits<double>::infinity(),
                   kNan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t product = 0; product < problem.batch; product++) {
    const auto in_a = [&](std::size_t i, std::size_t p) -> double& {
      return is_transposed(problem.op_a) ? a.at(product, p, i, i) : a.at(product, i, p, i);
    };
    const auto in_b = [&](std::size_t p, std::size_t j) -> double& {
      return is_transposed(problem.op_b) ? b.at(product, j, p, j) : b.at(product, p, j, j);
    };
    in_a(m - 1, k - 1) = kInfinity;
    in_a(m / 2, 0) = kNan;
    in_a(m / 3, k / 4) = -kInfinity;
    for (std::size_t j = 0; j < n; j += 2) in_b(k / 4, j) = 0;
    if (n == 1) continue;
    in_b(k / 2, n - 1) = -kInfinity;
    in_b(k / 3, n / 2) = kNan;
    for (std::size_t i = 0; i < m; i += 2) in_a(i, k / 2) = 0;
  }
}

/// True if a case's operands are small integers. Their sums are exact in every order, which shows
/// a wrong sum although the error bound of so many roundings is wide.
bool is_exact(const Problem& problem) {
  constexpr std::size_t kDeep = 2000, kDeepest = std::size_t{1} << 19;
  return !operands::is_integer(problem.types.a) && problem.mode.accuracy == Accuracy::ieee &&
         problem.k >= kDeep && problem.k < kDeepest;
}

/// Integers from -4 to 4: float holds every sum of 2^20 products of them, which are 2^19 products
/// of complex numbers.
std::vector<double> small_integers(std::size_t count, std::mt19937_64& random) {
  std::vector<double> elements(count);
  for (double& element : elements) element = static_cast<double>(random() % 9) - 4;
  return elements;
}

/// The operands of a case on the host.
struct HostOperands {
  Stack a, b, c;

  HostOperands(const CheckCase& check_case, std::mt19937_64& random) {
    const Problem& problem = check_case.problem;
    const std::size_t m = problem.m, n = problem.n, k = problem.k, batch = problem.batch;
    const auto stack = [&](ElementType type, std::size_t rows, std::size_t columns, Op op) {
      if (is_transposed(op)) std::swap(rows, columns);
      const std::size_t parts = operands::parts_of(type), count = batch * rows * columns * parts;
      return Stack{
          is_exact(problem) ? small_integers(count, random) : random_elements(type, count, random),
          rows, columns, parts};
    };
    a = stack(problem.types.a, m, k, problem.op_a);
    b = stack(problem.types.b, k, n, problem.op_b);
    if (check_case.non_finite && !operands::is_integer(problem.types.a) && m * n * k > 0)
      make_non_finite(problem, a, b);
    const ElementType type = problem.types.c;
    const std::size_t parts = operands::parts_of(type), count = batch * m * n * parts;
    c = {problem.beta == 0 ? std::vector<double>(count, reference::poison(type))
                           : random_elements(type, count, random),
         m, n, parts};
  }
};

/// Compares every product of a batch, and adds what was seen to the result.
void compare(const Problem& problem, const HostOperands& before, const Stack& computed,
             const MultiplyOptions& options, CheckResult& result) {
  for (std::size_t i = 0; i < problem.batch; i++) {
    const reference::Product product{problem.types,  problem.m,        problem.n,
                                     problem.k,      before.a.of(i),   before.b.of(i),
                                     before.c.of(i), computed.of(i),   problem.op_a,
                                     problem.op_b,   is_exact(problem)};
    result.verification.merge(reference::verify(product, options));
  }
}

detail::Batch viewed(detail::Batch batch, Op op) {
  batch.first = detail::viewed(batch.first, op);
  return batch;
}

CheckResult check_product(const Engine& engine, const CheckCase& check_case,
                          const kernels::SharedPlan& plan, MakeCall make) {
  const Problem& problem = check_case.problem;
  const std::size_t m = problem.m, n = problem.n, batch = problem.batch;
  const bool strided = check_case.strided;
  std::mt19937_64 random(check_case.seed);
  const HostOperands host(check_case, random);
  const Guarded a(engine, problem.types.a, host.a.rows, host.a.columns, strided, host.a.elements,
                  batch),
      b(engine, problem.types.b, host.b.rows, host.b.columns, strided, host.b.elements, batch),
      c(engine, problem.types.c, m, n, strided, host.c.elements, batch);
  const MultiplyOptions options{
      .alpha = problem.alpha, .beta = problem.beta, .accuracy = problem.mode.accuracy};
  CheckResult result;
  const Call call =
      make(c.batch(), viewed(a.batch(), problem.op_a), viewed(b.batch(), problem.op_b), options);
  result.ran =
      runtime::with_opencl_errors([&] { return run_plan(plan, runtime::stream_of(engine), call); },
                                  [&] { return problem.operation; });
  compare(problem, host, {c.inside(), m, n, host.c.parts}, options, result);
  if (!result.verification.passed()) {
    result.failure = fmt::format("largest error {:.3g}, {:.3g} of the bound",
                                 result.verification.max_error, result.verification.worst);
  } else if (!a.intact() || !b.intact() || !c.intact()) {
    result.failure = reference::kOutsideWritten;
  }
  return result;
}

}  // namespace

CheckResult check_multiply(const Engine& engine, const CheckCase& check_case,
                           const kernels::SharedPlan& plan) {
  return check_product(engine, check_case, plan, make_call);
}

CheckResult check_matrix_vector(const Engine& engine, const CheckCase& check_case,
                                const kernels::SharedPlan& plan) {
  return check_product(engine, check_case, plan, make_vector_call_of);
}

}  // namespace tessera::inline v0::multiplication
