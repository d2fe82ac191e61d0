// The table of row_sum variants. A new one is a row here and its file in cl/row_sum/.
#include "eigen/row_sum.hpp"

#include <string>

#include "eigen/reference.hpp"
#include "eigen/step_calls.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Plan;
using runtime::Submission;

/// Clears s, then adds to it atomically, with several work-groups side by side in each row.
void enqueue_atomic(const Plan& plan, const RowSumCall& problem, Submission& submission) {
  const StepArguments& step = problem.step;
  const MatrixArgument& a = problem.a;
  const VectorArgument& s = problem.s;
  runtime::Kernel& clear = plan.kernel("_clear");
  submission.launch(clear, cover(step.n, clear), *step.halt, cl_ulong{step.n}, *s.buffer, s.at);
  const auto group = plan.group;
  const std::size_t columns = problem.columns, across = divide_up(columns, group[0] * group[1]);
  slices(step.n, 1, [&](std::size_t first, std::size_t count) {
    submission.launch(plan.kernel(), {{across, count}, group}, *step.halt, cl_ulong{count},
                      cl_ulong{columns}, *a.buffer, Rows{a.at.offset + first * a.at.row, a.at.row},
                      *s.buffer, Vector{s.at.offset + first * s.at.stride, s.at.stride});
  });
}

void launch(const Plan& plan, const RowSumCall& problem, Submission& submission,
            const runtime::Grid& grid) {
  const auto& [step, columns, a, s] = problem;
  submission.launch(plan.kernel(), grid, *step.halt, cl_ulong{step.n}, cl_ulong{columns}, *a.buffer,
                    a.at, *s.buffer, s.at);
}

void enqueue_row_per_group(const Plan& plan, const RowSumCall& problem, Submission& submission) {
  launch(plan, problem, submission, {{problem.step.n, 1}, group_of(plan.parameters)});
}

kernels::Variant row_per_item() {
  // Four additions in flight hide the latency of one.
  auto variant = vector_rows("for CPUs: a work-item a share of the rows, by vectors");
  variant.options = [](const Parameters&, const kernels::Target&) {
    return std::string(" -D UNROLL=4");
  };
  return variant;
}

std::vector<kernels::Row<RowSumCall>> rows() {
  return {
      {with_atomics(item_step("atomic", "every element added to its row's sum atomically"), false),
       enqueue_atomic},
      {with_atomics(lane_step("subgroup", "sums of sub-groups added atomically"), false),
       enqueue_atomic},
      {with_atomics(lane_step("subgroup_local",
                              "sums of work-groups, by sub-groups and local memory, added "
                              "atomically"),
                    false),
       enqueue_atomic},
      {tree_step("row_per_group", "for GPUs: a work-group a row, by a tree"),
       enqueue_row_per_group},
      {row_per_item(), [](const Plan& plan, const RowSumCall& problem, Submission& submission) {
         launch(plan, problem, submission,
                {{row_tasks(plan, submission, problem.step.n), 1}, {1, 1}});
       }}};
}

/// The operands are s and a.
const kernels::Trial kTrial = {
    .operands = [](const Problem& problem, std::mt19937_64&) -> std::vector<kernels::TrialOperand> {
      const ElementType type = problem.types.a;
      return {{type, problem.m, 1, kernels::Role::output}, {type, problem.m, problem.n}};
    },
    .run =
        [](const kernels::SharedPlan& plan, const Problem&, std::span<const detail::Operand> of) {
          return run_plan(plan, row_sum_step(of[0], of[1]));
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t> rows,
           const kernels::Expect& expect) {
          for (const std::size_t i : rows) {
            const auto at = [&](std::size_t j) { return before(1, i * problem.n + j); };
            expect(0, i, reference_sum(problem.types.a, problem.n, at));
          }
        }};

kernels::Operation operation() {
  kernels::Operation operation = step_operation("row_sum", Dimensions::matrix, kTrial);
  operation.preference = by_rows;
  operation.work = work_over_matrix(1, 1);
  return operation;
}

}  // namespace

const kernels::Table<RowSumCall>& row_sum_table() {
  static const kernels::Table<RowSumCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
