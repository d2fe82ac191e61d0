// The table of stop variants. A new one is a row here and its file in cl/stop/.
#include "eigen/stop.hpp"

#include "eigen/reference.hpp"
#include "eigen/step_calls.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"

namespace tessera::inline v0::eigen {
namespace {

void enqueue(const kernels::Plan& plan, const StopCall& problem, runtime::Submission& submission) {
  const auto& [step, tolerance, s, converged] = problem;
  submission.launch(plan.kernel("_clear"), {{1, 1}, {1, 1}}, *step.halt, *converged.buffer,
                    converged.at);
  submission.launch(plan.kernel(), cover(step.n, plan.group), *step.halt, cl_ulong{step.n},
                    tolerance, *s.buffer, s.at, *converged.buffer, converged.at);
}

std::vector<kernels::Row<StopCall>> rows() {
  return {
      {item_step("atomic", "every work-item reads two row sums and says no atomically"), enqueue},
      {lane_step("subgroup_shuffle", "a lane has the next row sum from its neighbour"), enqueue},
      {lane_step("subgroup_local",
                 "a lane has the next row sum from its neighbour; a work-group says no once"),
       enqueue}};
}

constexpr double kTolerance = 0.25;

/// The operands are the answer and s. Its sums are equal, except that one may differ or be NaN.
const kernels::Trial kTrial = {
    .operands = [](const Problem& problem,
                   std::mt19937_64& random) -> std::vector<kernels::TrialOperand> {
      std::vector<double> sums(problem.m, 5.0);
      if (const auto kind = random() % 3; kind != 0)
        sums[random() % problem.m] += kind == 1 ? 0.5 : NAN;
      return {
          {ElementType::int32, 1, 1, kernels::Role::output},
          {.type = problem.types.a, .rows = problem.m, .columns = 1, .values = std::move(sums)}};
    },
    .run =
        [](const kernels::SharedPlan& plan, const Problem&, std::span<const detail::Operand> of) {
          return run_plan(plan, stop_step(of[0], of[1], kTolerance));
        },
    .expected =
        [](const Problem& problem, const kernels::Before& before, std::span<const std::size_t>,
           const kernels::Expect& expect) {
          std::vector<double> sums(problem.m);
          for (std::size_t i = 0; i < problem.m; i++) sums[i] = before(1, i);
          expect(0, 0, {reference_stop(sums, kTolerance) ? 1.0 : 0.0, 0});
        }};

kernels::Operation operation() {
  kernels::Operation operation = step_operation("stop", Dimensions::square_matrix, kTrial);
  operation.preference = prefer({"subgroup_local", "atomic"});
  operation.work = work_over_vector(1, 1);
  return operation;
}

}  // namespace

const kernels::Table<StopCall>& stop_table() {
  static const kernels::Table<StopCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
