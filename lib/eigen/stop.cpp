// The table of stop variants. A new one is a row here and its file in cl/stop/.
#include "eigen/stop.hpp"

#include "eigen/check.hpp"
#include "eigen/stage_operation.hpp"
#include "eigen/stage_variant.hpp"
#include "eigen/workload.hpp"

namespace tessera::inline v0::eigen {
namespace {

void enqueue(const kernels::Plan& plan, const StopCall& problem, runtime::Submission& submission) {
  const auto& [stage, tolerance, s, converged] = problem;
  submission.launch(plan.kernel("_clear"), {{1, 1}, {1, 1}}, *stage.halt, *converged.buffer,
                    converged.at);
  submission.launch(plan.kernel(), cover(stage.n, plan.variant->work_group(plan.parameters)),
                    *stage.halt, cl_ulong{stage.n}, tolerance, *s.buffer, s.at, *converged.buffer,
                    converged.at);
}

std::vector<kernels::Row<StopCall>> rows() {
  return {
      {item_stage("atomic", "every work-item reads two row sums and says no atomically"), enqueue},
      {lane_stage("subgroup_shuffle", "a lane has the next row sum from its neighbour"), enqueue},
      {lane_stage("subgroup_local",
                  "a lane has the next row sum from its neighbour; a work-group says no once"),
       enqueue}};
}

kernels::Operation operation() {
  kernels::Operation operation =
      stage_operation("stop", Dimensions::square_matrix, check_stop<float>, check_stop<double>);
  operation.preference = prefer({"subgroup_local", "atomic"});
  operation.work = work_over_vector(1, 1);
  operation.workload = kStopWorkload;
  return operation;
}

}  // namespace

const kernels::Table<StopCall>& stop_table() {
  static const kernels::Table<StopCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
