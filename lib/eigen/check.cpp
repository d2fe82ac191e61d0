// Checks of the eigenpair's operations: random input, guard zones, every element against double.
#include "eigen/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include "eigen/judge.hpp"
#include "eigen/reference.hpp"
#include "eigen/step_calls.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {
namespace {

using reference::Guarded;

/// Compares b_ij with a_ij * s_j / s_i, element by element.
void judge_transform(const CheckCase& check_case, const std::vector<double>& a,
                     const std::vector<double>& s, const std::vector<double>& b, Judge& judge) {
  const ElementType type = check_case.problem.types.a;
  const std::size_t n = check_case.problem.m;
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++) {
      judge.compare(b[i * n + j], reference_quotient(type, a[i * n + j], s[j], s[i]));
    }
  }
}

}  // namespace

CheckResult check_row_sum(const Engine& engine, const CheckCase& check_case,
                          const kernels::SharedPlan& plan) {
  const ElementType type = check_case.problem.types.a;
  std::mt19937_64 random(check_case.seed);
  const auto elements = numbers(type, check_case.problem.m * check_case.problem.n, random);
  const Guarded a(engine, type, check_case.problem.m, check_case.problem.n, check_case.strided,
                  elements);
  const Guarded s(engine, type, check_case.problem.m, 1, check_case.strided,
                  std::vector<double>(check_case.problem.m, NAN));
  KernelRun ran = run_plan(plan, row_sum_step(s.operand(), a.operand()));
  Judge judge;
  const auto sums = s.inside();
  for (std::size_t i = 0; i < check_case.problem.m; i++) {
    const double* const row = elements.data() + i * check_case.problem.n;
    judge.compare(sums[i],
                  reference_sum(type, check_case.problem.n, [&](std::size_t j) { return row[j]; }));
  }
  judge.expect(a.intact() && s.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

CheckResult check_vector_max(const Engine& engine, const CheckCase& check_case,
                             const kernels::SharedPlan& plan) {
  const ElementType type = check_case.problem.types.a;
  std::mt19937_64 random(check_case.seed);
  // With every other seed all elements are negative.
  const auto elements =
      numbers(type, check_case.problem.m, random, -2, check_case.seed % 2 == 0 ? -1 : 2);
  const Guarded x(engine, type, check_case.problem.m, 1, check_case.strided, elements);
  const Guarded maximum(engine, type, 1, 1, check_case.strided, {NAN});
  KernelRun ran = run_plan(plan, vector_max_step(maximum.operand(), x.operand()));
  Judge judge;
  judge.compare(maximum.inside()[0], {*std::ranges::max_element(elements), 0});
  judge.expect(x.intact() && maximum.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

CheckResult check_row_bounds(const Engine& engine, const CheckCase& check_case,
                             const kernels::SharedPlan& plan) {
  const ElementType type = check_case.problem.types.a;
  std::mt19937_64 random(check_case.seed);
  const auto elements = numbers(type, check_case.problem.m, random);
  const Guarded x(engine, type, check_case.problem.m, 1, check_case.strided, elements);
  const Guarded bounds(engine, type, 2, 1, check_case.strided, {NAN, NAN});
  KernelRun ran = run_plan(plan, row_bounds_step(bounds.operand(), x.operand()));
  Judge judge;
  judge.compare(bounds.inside()[0], {*std::ranges::min_element(elements), 0});
  judge.compare(bounds.inside()[1], {*std::ranges::max_element(elements), 0});
  judge.expect(x.intact() && bounds.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

CheckResult check_eigenvector(const Engine& engine, const CheckCase& check_case,
                              const kernels::SharedPlan& plan) {
  const ElementType type = check_case.problem.types.a;
  std::mt19937_64 random(check_case.seed);
  const auto sums = numbers(type, check_case.problem.m, random, 0.1, 3),
             before = numbers(type, check_case.problem.m, random);
  const Guarded s(engine, type, check_case.problem.m, 1, check_case.strided, sums),
      maximum(engine, type, 1, 1, check_case.strided, {3});
  const Guarded v(engine, type, check_case.problem.m, 1, check_case.strided, before);
  KernelRun ran = run_plan(plan, eigenvector_step(v.operand(), s.operand(), maximum.operand()));
  Judge judge;
  const auto after = v.inside();
  for (std::size_t i = 0; i < check_case.problem.m; i++)
    judge.compare(after[i], reference_quotient(type, before[i], sums[i], 3));
  judge.expect(s.intact() && maximum.intact() && v.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

CheckResult check_similarity_transform(const Engine& engine, const CheckCase& check_case,
                                       const kernels::SharedPlan& plan) {
  const ElementType type = check_case.problem.types.a;
  std::mt19937_64 random(check_case.seed);
  const std::size_t n = check_case.problem.m;
  const auto elements = numbers(type, n * n, random), sums = numbers(type, n, random, 0.1, 3);
  const Guarded a(engine, type, n, n, check_case.strided, elements),
      s(engine, type, n, 1, check_case.strided, sums);
  const bool in_place = check_case.seed % 2 == 0;
  const Guarded b(engine, type, n, n, check_case.strided, std::vector<double>(n * n, NAN));
  const Guarded& output = in_place ? a : b;
  KernelRun ran =
      run_plan(plan, similarity_transform_step(output.operand(), a.operand(), s.operand()));
  Judge judge;
  judge_transform(check_case, elements, sums, output.inside(), judge);
  judge.expect(a.intact() && s.intact() && b.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

CheckResult check_fused_round(const Engine& engine, const CheckCase& check_case,
                              const kernels::SharedPlan& plan) {
  const ElementType type = check_case.problem.types.a;
  std::mt19937_64 random(check_case.seed);
  const std::size_t n = check_case.problem.m;
  const auto elements = numbers(type, n * n, random), sums = numbers(type, n, random, 0.1, 3);
  const Guarded a(engine, type, n, n, check_case.strided, elements),
      s(engine, type, n, 1, false, sums);
  const bool in_place = check_case.seed % 2 == 0;
  const Guarded b(engine, type, n, n, check_case.strided, std::vector<double>(n * n, NAN));
  const Guarded t(engine, type, n, 1, check_case.strided, std::vector<double>(n, NAN));
  const Guarded& output = in_place ? a : b;
  KernelRun ran =
      run_plan(plan, fused_round_step(output.operand(), t.operand(), a.operand(), s.operand()));
  Judge judge;
  const auto transformed = output.inside(), next = t.inside();
  judge_transform(check_case, elements, sums, transformed, judge);
  for (std::size_t i = 0; i < n; i++) {
    const double* const row = transformed.data() + i * n;
    judge.compare(next[i], reference_sum(type, n, [&](std::size_t j) { return row[j]; }));
  }
  judge.expect(a.intact() && s.intact() && b.intact() && t.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

CheckResult check_stop(const Engine& engine, const CheckCase& check_case,
                       const kernels::SharedPlan& plan) {
  const ElementType type = check_case.problem.types.a;
  std::mt19937_64 random(check_case.seed);
  std::vector<double> sums(check_case.problem.m, 5.0);
  // One sum that differs or is NaN, at a random place, or none.
  if (check_case.seed % 3 != 0)
    sums[random() % check_case.problem.m] += check_case.seed % 3 == 1 ? 0.5 : NAN;
  const Guarded s(engine, type, check_case.problem.m, 1, check_case.strided, sums);
  const Guarded converged(engine, ElementType::int32, 1, 1, check_case.strided, {77});
  KernelRun ran = run_plan(plan, stop_step(converged.operand(), s.operand(), 0.25));
  Judge judge;
  judge.compare(converged.inside()[0], {reference_stop(sums, 0.25) ? 1.0 : 0.0, 0});
  judge.expect(s.intact() && converged.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

}  // namespace tessera::inline v0::eigen
