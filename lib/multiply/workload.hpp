// Workloads of products for a tuner: a problem's operands, their sizes and its work.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/workload.hpp"
#include "runtime/shape.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::multiplication {

/// Pseudo-random operands generated from `seed` on the engine's device.
std::unique_ptr<kernels::Workload> make_multiply_workload(const Engine& engine,
                                                          const Problem& problem,
                                                          std::uint64_t seed);
std::unique_ptr<kernels::Workload> make_matrix_vector_workload(const Engine& engine,
                                                               const Problem& problem,
                                                               std::uint64_t seed);

/// The matrices that either workload allocates.
std::vector<runtime::MatrixSize> product_matrices(const Problem& problem);

/// The work of multiply and of matrix_vector.
Work multiply_work(const Problem& problem);

}  // namespace tessera::inline v0::multiplication
