// What a tuner needs of the eigenpair's operations: operands of a problem, and its work.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/workload.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::eigen {

/// A positive matrix and vectors of `seed` on the engine's device.
std::unique_ptr<kernels::Workload> make_stage_workload(const Engine& engine, const Problem& problem,
                                                       std::uint64_t seed);

}  // namespace tessera::inline v0::eigen
