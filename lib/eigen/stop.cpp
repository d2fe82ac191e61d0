// The table of stop variants. A new one is a row here and its file in cl/stop/.
#include "eigen/stop.hpp"

#include "eigen/check.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "eigen/workload.hpp"

namespace tessera::inline v0::eigen {
namespace {

void enqueue(const kernels::Plan& plan, const StopCall& problem, runtime::Submission& submission) {
  const auto& [step, tolerance, s, converged] = problem;
  submission.launch(plan.kernel("_clear"), {{1, 1}, {1, 1}}, *step.halt, *converged.buffer,
                    converged.at);
  submission.launch(plan.kernel(), cover(step.n, plan.variant->work_group(plan.parameters)),
                    *step.halt, cl_ulong{step.n}, tolerance, *s.buffer, s.at, *converged.buffer,
                    converged.at);
}

std::vector<kernels::Row<StopCall>> rows() {
  return {
      {item_step("atomic", "every work-item reads two row sums and says no atomically"), enqueue},
      {lane_step("subgroup_shuffle", "a lane has the next row sum from its neighbour"), enqueue},
      {lane_step("subgroup_local",
                 "a lane has the next row sum from its neighbour; a work-group says no once"),
       enqueue}};
}

kernels::Operation operation() {
  kernels::Operation operation = step_operation("stop", Dimensions::square_matrix, check_stop);
  operation.preference = prefer({"subgroup_local", "atomic"});
  operation.work = work_over_vector(1, 1);
  operation.workload = kStopWorkload.make;
  operation.workload_matrices = kStopWorkload.matrices;
  return operation;
}

}  // namespace

const kernels::Table<StopCall>& stop_table() {
  static const kernels::Table<StopCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
