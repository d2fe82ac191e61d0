// The table of eigenvector variants. A new one is a row here and its file in cl/eigenvector/.
#include "eigen/eigenvector.hpp"

#include "eigen/check.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "eigen/workload.hpp"

namespace tessera::inline v0::eigen {
namespace {

void enqueue(const kernels::Plan& plan, const EigenvectorCall& problem,
             runtime::Submission& submission) {
  const auto& [step, s, maximum, v] = problem;
  submission.launch(plan.kernel(), cover(step.n, plan.variant->work_group(plan.parameters)),
                    *step.halt, cl_ulong{step.n}, *s.buffer, s.at, *maximum.buffer, maximum.at,
                    *v.buffer, v.at);
}

std::vector<kernels::Row<EigenvectorCall>> rows() {
  return {{item_step("direct", "every work-item reads the maximum"), enqueue},
          {lane_step("broadcast", "a lane reads the maximum for its sub-group"), enqueue}};
}

kernels::Operation operation() {
  kernels::Operation operation =
      step_operation("eigenvector", Dimensions::square_matrix, check_eigenvector);
  operation.preference = prefer({"direct"});
  operation.work = work_over_vector(2, 3);
  operation.workload = kEigenvectorWorkload.make;
  operation.workload_matrices = kEigenvectorWorkload.matrices;
  return operation;
}

}  // namespace

const kernels::Table<EigenvectorCall>& eigenvector_table() {
  static const kernels::Table<EigenvectorCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
