// Step calls: calls of the pipeline's operations, with their problems and the memory that they use.
#pragma once

#include <utility>
#include <vector>

#include "eigen/neutral_state.hpp"
#include "eigen/step_call_types.hpp"
#include "kernels/table.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// A call that does not belong to a solve. Its problem does not name the operation.
template <class Call>
struct Step {
  Problem problem;
  runtime::Stream* stream;  ///< of the output
  std::vector<runtime::Operand> memory;
  Call call;
};

/// Each checks the operands as the public operation documents: shapes, types, contexts and overlap.
Step<RowSumCall> row_sum_step(const detail::Operand& s, const detail::Operand& a);
Step<VectorMaxCall> vector_max_step(const detail::Operand& maximum, const detail::Operand& x);
Step<RowBoundsCall> row_bounds_step(const detail::Operand& bounds, const detail::Operand& x);
Step<EigenvectorCall> eigenvector_step(const detail::Operand& v, const detail::Operand& s,
                                       const detail::Operand& maximum);
Step<SimilarityTransformCall> similarity_transform_step(const detail::Operand& b,
                                                        const detail::Operand& a,
                                                        const detail::Operand& s);
Step<StopCall> stop_step(const detail::Operand& converged, const detail::Operand& s,
                         double tolerance);
Step<FusedRoundCall> fused_round_step(const detail::Operand& b, const detail::Operand& t,
                                      const detail::Operand& a, const detail::Operand& s);
Step<ImplicitRoundCall> implicit_round_step(const detail::Operand& q, const detail::Operand& s,
                                            const detail::Operand& a, const detail::Operand& p);

/// Enqueues a step on its stream by a plan that was made for such problems.
template <class Call>
KernelRun run_plan(const kernels::SharedPlan& plan, Step<Call> step,
                   const std::vector<Event>& wait_for = {}) {
  return runtime::with_opencl_errors(
      [&] {
        step.call.step.halt = &neutral_state(*step.stream, Wide::one_double);
        runtime::Submission submission(*step.stream, std::move(step.memory), wait_for);
        kernels::enqueue(*plan, step.call, submission);
        return kernels::finish(submission, plan);
      },
      [&] { return plan->variant->operation; });
}

}  // namespace tessera::inline v0::eigen
