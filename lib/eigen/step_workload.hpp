// Step workload: how a tuner makes the operands of an eigenpair's operation, and their sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/workload.hpp"
#include "runtime/shape.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::eigen {

/// Makes a positive matrix and vectors from `seed` on the engine's device.
using MakeWorkload = std::unique_ptr<kernels::Workload> (*)(const Engine& engine,
                                                            const Problem& problem,
                                                            std::uint64_t seed);

/// Makes a workload, and lists the matrices that it allocates.
struct StepWorkload {
  MakeWorkload make;
  std::vector<runtime::MatrixSize> (*matrices)(const Problem& problem);
};

}  // namespace tessera::inline v0::eigen
