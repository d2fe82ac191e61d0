// The table of fused_round variants. A new one is a row here and its file in cl/fused_round/.
#include "eigen/fused_round.hpp"

#include "eigen/check.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "eigen/workload.hpp"

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

kernels::Operation operation() {
  kernels::Operation operation =
      step_operation("fused_round", Dimensions::square_matrix, check_fused_round);
  operation.preference = by_rows;
  operation.work = work_over_matrix(3, 2);
  operation.workload = kFusedRoundWorkload.make;
  operation.workload_matrices = kFusedRoundWorkload.matrices;
  operation.tuning_weight = 1;
  return operation;
}

}  // namespace

const kernels::Table<FusedRoundCall>& fused_round_table() {
  static const kernels::Table<FusedRoundCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
