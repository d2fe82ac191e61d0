// Run: from a call to the commands of its plan.
#pragma once

#include <vector>

#include "kernels/table.hpp"
#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// Enqueues the call by the kernel that is chosen for it; an empty one builds and runs nothing, but
/// a kernel that was named has to be one that could run.
KernelRun run(const kernels::Table<Call>& table, runtime::Stream& stream, const Call& call,
              const KernelChoice& kernel, const std::vector<Event>& wait_for);

}  // namespace tessera::inline v0::multiplication
