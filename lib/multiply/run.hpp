// Run: enqueues the commands of a call's plan.
#pragma once

#include <vector>

#include "kernels/table.hpp"
#include "multiply/as_real.hpp"
#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// Enqueues the call with the kernel chosen for it. An empty call builds and runs nothing, but a
/// kernel named by the caller must still be one that could run.
KernelRun run(const kernels::Table<Call>& table, runtime::Stream& stream, const Call& call,
              const KernelChoice& kernel, const std::vector<Event>& wait_for);

/// Enqueues a complex product as a real one.
KernelRun run_as_real(const kernels::Table<Call>& table, runtime::Stream& stream, const Call& call,
                      const std::vector<Event>& wait_for = {});

/// Enqueues the call by a plan that was made for such calls; null for an empty one. With `real`,
/// the plan is of the call's real form.
KernelRun run_plan(const kernels::SharedPlan& plan, runtime::Stream& stream, const Call& call,
                   const std::vector<Event>& wait_for = {}, const RealForm* real = nullptr);

}  // namespace tessera::inline v0::multiplication
