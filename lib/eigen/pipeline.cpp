// The operations of the pipeline, one by one: a checked call, its plan and the commands.
#include <utility>

#include "eigen/eigenvector.hpp"
#include "eigen/fused_round.hpp"
#include "eigen/implicit_round.hpp"
#include "eigen/row_bounds.hpp"
#include "eigen/row_sum.hpp"
#include "eigen/similarity_transform.hpp"
#include "eigen/step_calls.hpp"
#include "eigen/stop.hpp"
#include "eigen/vector_max.hpp"
#include "kernels/planner.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0 {
namespace {

/// Plans, then enqueues the step on the stream named in the options, or else on the output's.
template <class Call>
KernelRun run(const kernels::Table<Call>& table, eigen::Step<Call> step,
              const CallOptions& options) {
  const kernels::Operation& operation = table.operation();
  step.problem.operation = operation.name;
  return runtime::with_opencl_errors(
      [&] {
        step.stream = &runtime::stream_for(operation.name.c_str(), options.stream, *step.stream);
        const auto plan =
            kernels::plan_of_call(*step.stream, operation, step.problem, options.kernel, false);
        return eigen::run_plan(plan, std::move(step), options.wait_for);
      },
      [&] { return operation.name; });
}

}  // namespace

KernelRun detail::row_sum(const Operand& s, const Operand& a, const CallOptions& options) {
  return run(eigen::row_sum_table(), eigen::row_sum_step(s, a), options);
}

KernelRun detail::vector_max(const Operand& maximum, const Operand& x, const CallOptions& options) {
  return run(eigen::vector_max_table(), eigen::vector_max_step(maximum, x), options);
}

KernelRun detail::row_bounds(const Operand& bounds, const Operand& x, const CallOptions& options) {
  return run(eigen::row_bounds_table(), eigen::row_bounds_step(bounds, x), options);
}

KernelRun detail::eigenvector(const Operand& v, const Operand& s, const Operand& maximum,
                              const CallOptions& options) {
  return run(eigen::eigenvector_table(), eigen::eigenvector_step(v, s, maximum), options);
}

KernelRun detail::similarity_transform(const Operand& b, const Operand& a, const Operand& s,
                                       const CallOptions& options) {
  return run(eigen::similarity_transform_table(), eigen::similarity_transform_step(b, a, s),
             options);
}

KernelRun detail::stop(const Operand& converged, const Operand& s, double tolerance,
                       const CallOptions& options) {
  return run(eigen::stop_table(), eigen::stop_step(converged, s, tolerance), options);
}

KernelRun detail::fused_round(const Operand& b, const Operand& t, const Operand& a,
                              const Operand& s, const CallOptions& options) {
  return run(eigen::fused_round_table(), eigen::fused_round_step(b, t, a, s), options);
}

KernelRun detail::implicit_round(const Operand& q, const Operand& s, const Operand& a,
                                 const Operand& p, const CallOptions& options) {
  return run(eigen::implicit_round_table(), eigen::implicit_round_step(q, s, a, p), options);
}

}  // namespace tessera::inline v0
