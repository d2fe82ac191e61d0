// Round workload: makes a positive matrix and vectors for implicit rounds, for a tuner.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "eigen/implicit_round_call.hpp"
#include "kernels/table.hpp"
#include "kernels/workload.hpp"
#include "runtime/shape.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::eigen {

/// The matrices that the workload allocates.
std::vector<runtime::MatrixSize> implicit_round_matrices(const Problem& problem);
/// The workload of implicit_round, whose table names it.
std::unique_ptr<kernels::Workload> make_implicit_rounds(
    const kernels::Table<ImplicitRoundCall>& table, const Engine& engine, const Problem& problem,
    std::uint64_t seed);

}  // namespace tessera::inline v0::eigen
