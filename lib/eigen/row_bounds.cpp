// The table of row_bounds variants. A new one is a row here and its file in cl/row_bounds/.
#include "eigen/row_bounds.hpp"

#include "eigen/check.hpp"
#include "eigen/stage_operation.hpp"
#include "eigen/stage_variant.hpp"
#include "eigen/workload.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Plan;
using runtime::Submission;

void enqueue_two_pass(const Plan& plan, const RowBoundsCall& problem, Submission& submission) {
  const auto& [stage, x, minimum, maximum] = problem;
  const auto group = group_of(plan.parameters);
  const std::size_t groups = first_pass_groups(submission, stage.n, group);
  const auto partial =
      submission.scratch(2 * groups * operands::number_size(stage.type), plan.variant->full_name());
  const Vector lows{0, 1}, highs{groups, 1};
  submission.launch(plan.kernel(), {{groups, 1}, group}, *stage.halt, cl_ulong{stage.n}, *x.buffer,
                    x.at, *x.buffer, x.at, partial, lows, partial, highs);
  submission.launch(plan.kernel(), {{1, 1}, group}, *stage.halt, cl_ulong{groups}, partial, lows,
                    partial, highs, *minimum.buffer, minimum.at, *maximum.buffer, maximum.at);
}

std::vector<kernels::Row<RowBoundsCall>> rows() {
  auto two_pass = tree_stage("two_pass", "by trees, first of many work-groups, then of one");
  return {{std::move(two_pass), enqueue_two_pass}};
}

kernels::Operation operation() {
  kernels::Operation operation = stage_operation("row_bounds", Dimensions::square_matrix,
                                                 check_row_bounds<float>, check_row_bounds<double>);
  operation.preference = prefer({"two_pass"});
  operation.work = work_over_vector(1, 1);
  operation.workload = kRowBoundsWorkload;
  return operation;
}

}  // namespace

const kernels::Table<RowBoundsCall>& row_bounds_table() {
  static const kernels::Table<RowBoundsCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
