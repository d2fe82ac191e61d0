// Workloads of add, for a tuner.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/workload.hpp"
#include "runtime/shape.hpp"
#include "tessera/engine.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::elementwise {

std::unique_ptr<kernels::Workload> make_add_workload(const Engine& engine, const Problem& problem,
                                                     std::uint64_t seed);

/// The matrices that it allocates.
std::vector<runtime::MatrixSize> add_matrices(const Problem& problem);

Work add_work(const Problem& problem);

}  // namespace tessera::inline v0::elementwise
