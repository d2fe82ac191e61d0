// The table of fused_round variants. A new one is a row here and its file in cl/fused_round/.
#include "eigen/fused_round.hpp"

#include "eigen/step_calls.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "eigen/transform_trial.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Plan;
using runtime::Submission;

void launch(const Plan& plan, const FusedRoundCall& problem, Submission& submission,
            const runtime::Grid& grid) {
  const auto& [step, a, s, b, t] = problem;
  submission.launch(plan.kernel(), grid, *step.halt, cl_ulong{step.n}, *a.buffer, a.at, *s.buffer,
                    s.at, *b.buffer, b.at, *t.buffer, t.at);
}

kernels::Variant row_per_group() {
  auto variant = tree_step("row_per_group", "for GPUs: a work-group a row, by a tree");
  variant.parameters.push_back(
      {"UNROLL", "elements that a work-item reads before it writes", {1, 2, 4, 8}});
  variant.preferred = [](const kernels::Target& target) {
    Parameters parameters = preferred_group(target);
    parameters["UNROLL"] = 4;
    return parameters;
  };
  return variant;
}

std::vector<kernels::Row<FusedRoundCall>> rows() {
  return {{row_per_group(),
           [](const Plan& plan, const FusedRoundCall& problem, Submission& submission) {
             launch(plan, problem, submission, {{problem.step.n, 1}, group_of(plan.parameters)});
           }},
          {vector_rows("for CPUs: a work-item a share of the rows, by vectors"),
           [](const Plan& plan, const FusedRoundCall& problem, Submission& submission) {
             launch(plan, problem, submission,
                    {{row_tasks(plan, submission, problem.step.n), 1}, {1, 1}});
           }}};
}

/// The operands are b, a, s and t.
const kernels::Trial kTrial = {
    .operands = [](const Problem& problem,
                   std::mt19937_64& random) -> std::vector<kernels::TrialOperand> {
      auto operands = transform_operands(problem, random);
      operands.back().contiguous = true;
      operands.push_back({problem.types.a, problem.m, 1, kernels::Role::output});
      return operands;
    },
    .run =
        [](const kernels::SharedPlan& plan, const Problem&, std::span<const detail::Operand> of) {
          return run_plan(plan, fused_round_step(of[0], of[3], of[1], of[2]));
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t> rows,
           const kernels::Expect& expect) {
          const std::size_t n = problem.m;
          for (const std::size_t i : rows) {
            const auto right = [&](std::size_t j) {
              return reference_transform(problem, before, i, j);
            };
            for (std::size_t j = 0; j < n; j++) expect(0, i * n + j, right(j));
            // A term of a device's sum has an error of its own.
            const auto [sum, bound] =
                reference_sum(problem.types.a, n, [&](std::size_t j) { return right(j).value; });
            expect(3, i, {sum, bound * static_cast<double>(n + 16) / static_cast<double>(n + 1)});
          }
        }};

kernels::Operation operation() {
  kernels::Operation operation = step_operation("fused_round", Dimensions::square_matrix, kTrial);
  operation.preference = by_rows;
  operation.work = work_over_matrix(3, 2);
  operation.tuning_weight = 1;
  return operation;
}

}  // namespace

const kernels::Table<FusedRoundCall>& fused_round_table() {
  static const kernels::Table<FusedRoundCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
