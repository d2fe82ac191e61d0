// The table of row_bounds variants. A new one is a row here and its file in cl/row_bounds/.
#include "eigen/row_bounds.hpp"

#include "eigen/step_calls.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "operands/element.hpp"
#include "reference/guarded.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Plan;
using runtime::Submission;

void enqueue_two_pass(const Plan& plan, const RowBoundsCall& problem, Submission& submission) {
  const auto& [step, x, minimum, maximum] = problem;
  const auto group = group_of(plan.parameters);
  const std::size_t groups = first_pass_groups(submission, step.n, group);
  const auto partial =
      submission.scratch(2 * groups * element_size(step.type), plan.variant->full_name());
  const Vector lows{0, 1}, highs{groups, 1};
  submission.launch(plan.kernel(), {{groups, 1}, group}, *step.halt, cl_ulong{step.n}, *x.buffer,
                    x.at, *x.buffer, x.at, partial, lows, partial, highs);
  submission.launch(plan.kernel(), {{1, 1}, group}, *step.halt, cl_ulong{groups}, partial, lows,
                    partial, highs, *minimum.buffer, minimum.at, *maximum.buffer, maximum.at);
}

std::vector<kernels::Row<RowBoundsCall>> rows() {
  auto two_pass = tree_step("two_pass", "by trees, first of many work-groups, then of one");
  return {{std::move(two_pass), enqueue_two_pass}};
}

/// The operands are the bounds and x.
const kernels::Trial kTrial = {
    .operands = [](const Problem& problem,
                   std::mt19937_64& random) -> std::vector<kernels::TrialOperand> {
      const ElementType type = problem.types.a;
      return {{type, 2, 1, kernels::Role::output},
              {.type = type,
               .rows = problem.m,
               .columns = 1,
               .values = reference::uniform_elements(type, problem.m, random)}};
    },
    .run =
        [](const kernels::SharedPlan& plan, const Problem&, std::span<const detail::Operand> of) {
          return run_plan(plan, row_bounds_step(of[0], of[1]));
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t>,
           const kernels::Expect& expect) {
          double minimum = before(1, 0), maximum = minimum;
          for (std::size_t i = 1; i < problem.m; i++) {
            minimum = std::min(minimum, before(1, i));
            maximum = std::max(maximum, before(1, i));
          }
          expect(0, 0, {minimum, 0});
          expect(0, 1, {maximum, 0});
        }};

kernels::Operation operation() {
  kernels::Operation operation = step_operation("row_bounds", Dimensions::square_matrix, kTrial);
  operation.preference = prefer({"two_pass"});
  operation.work = work_over_vector(1, 1);
  return operation;
}

}  // namespace

const kernels::Table<RowBoundsCall>& row_bounds_table() {
  static const kernels::Table<RowBoundsCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
