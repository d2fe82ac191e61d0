// Looks up a plan, retains the operands and enqueues the commands.
#include "multiply/run.hpp"

#include <utility>

#include "kernels/planner.hpp"

namespace tessera::inline v0::multiplication {

KernelRun run(const kernels::Table<Call>& table, runtime::Stream& stream, const Call& call,
              const KernelChoice& kernel, const std::vector<Event>& wait_for) {
  const auto plan =
      kernels::plan_of_call(stream, table.operation(), call.problem, kernel, call.is_empty());
  return run_plan(plan, stream, call, wait_for);
}

KernelRun run_as_real(const kernels::Table<Call>& table, runtime::Stream& stream, const Call& call,
                      const std::vector<Event>& wait_for) {
  const RealForm real(call, program_of_copies(stream, call.types()));
  const auto plan =
      kernels::plan_of_call(stream, table.operation(), real.problem(), {}, call.is_empty());
  return run_plan(plan, stream, call, wait_for, &real);
}

KernelRun run_plan(const kernels::SharedPlan& plan, runtime::Stream& stream, const Call& call,
                   const std::vector<Event>& wait_for, const RealForm* real) {
  runtime::Submission submission(stream,
                                 {{call.a.memory, runtime::Access::read},
                                  {call.b.memory, runtime::Access::read},
                                  {call.c.memory, runtime::Access::write}},
                                 wait_for);
  if (!call.is_empty()) {
    if (real != nullptr)
      real->enqueue(*plan, submission);
    else
      kernels::enqueue(*plan, call, submission);
  }
  return kernels::finish(submission, plan);
}

}  // namespace tessera::inline v0::multiplication
