// The plan for a problem by a kernel of its operation, or by the default.
#pragma once

#include "kernels/planner.hpp"
#include "operations.hpp"

namespace tessera::test {

inline kernels::SharedPlan plan_of(const Engine& engine, const Problem& problem,
                                   const KernelChoice& kernel = {}) {
  return kernels::plan(runtime::stream_of(engine), find_operation(problem.operation), problem,
                       kernel);
}

}  // namespace tessera::test
