// What a tuner needs from the eigenpair's operations: workloads with a problem's operands.
#pragma once

#include <cstdint>
#include <memory>

#include "eigen/implicit_round_call.hpp"
#include "kernels/table.hpp"
#include "kernels/workload.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::eigen {

/// Makes a positive matrix and vectors from `seed` on the engine's device.
using MakeWorkload = std::unique_ptr<kernels::Workload> (*)(const Engine& engine,
                                                            const Problem& problem,
                                                            std::uint64_t seed);

extern const MakeWorkload kRowSumWorkload, kVectorMaxWorkload, kRowBoundsWorkload,
    kEigenvectorWorkload, kSimilarityTransformWorkload, kStopWorkload, kFusedRoundWorkload;

/// The same for implicit_round, whose table names it.
std::unique_ptr<kernels::Workload> make_implicit_rounds(
    const kernels::Table<ImplicitRoundCall>& table, const Engine& engine, const Problem& problem,
    std::uint64_t seed);

}  // namespace tessera::inline v0::eigen
