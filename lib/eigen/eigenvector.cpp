// The table of eigenvector variants. A new one is a row here and its file in cl/eigenvector/.
#include "eigen/eigenvector.hpp"

#include "eigen/stage_variant.hpp"

namespace tessera::inline v0::eigen {
namespace {

void enqueue(const kernels::Plan& plan, const EigenvectorProblem& problem,
             runtime::Submission& submission) {
  const auto& [stage, s, maximum, v] = problem;
  submission.launch(plan.kernel(), cover(stage.n, plan.variant->work_group(plan.parameters)),
                    *stage.halt, cl_ulong{stage.n}, *s.buffer, s.at, *maximum.buffer, maximum.at,
                    *v.buffer, v.at);
}

std::vector<kernels::Row<EigenvectorProblem>> rows() {
  return {{item_stage("direct", "every work-item reads the maximum"), enqueue},
          {lane_stage("broadcast", "a lane reads the maximum for its sub-group"), enqueue}};
}

}  // namespace

const kernels::Table<EigenvectorProblem>& eigenvector_table() {
  static const kernels::Table<EigenvectorProblem> table(
      "eigenvector", real_types(), rows(),
      [](const DeviceInfo&) { return std::vector<std::string>{"direct"}; });
  return table;
}

}  // namespace tessera::inline v0::eigen
