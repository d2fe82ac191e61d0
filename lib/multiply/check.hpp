// Checks of multiply: edge-case products, each run and compared with its reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/check.hpp"

namespace tessera::inline v0::multiplication {

/// Sizes around the tile edges in `parameters`, every transpose, and batches; if `defaults`, also
/// every transpose with every kind of alpha, beta and stride.
std::vector<CheckCase> multiply_cases(ElementType type, const Parameters& parameters, bool defaults,
                                      std::size_t largest);

/// Odd, tall, wide and tiny products with the problem's transposes, and in turn with the others.
std::vector<CheckCase> final_multiply_cases(const Problem& problem, const Parameters& parameters,
                                            std::uint64_t seed);

/// Full and partial tiles along every dimension, of kernels whose tiles are parameters.
CheckCase first_multiply_case(const Problem& problem, const Parameters& parameters);

CheckResult check_multiply(const Engine& engine, const CheckCase& check_case,
                           const KernelChoice& kernel);

/// Tiny, tall and wide matrices in both storage orders; if `defaults`, also sizes whose k is split
/// into parts.
std::vector<CheckCase> matrix_vector_cases(ElementType type, const Parameters& parameters,
                                           bool defaults, std::size_t largest);
std::vector<CheckCase> final_matrix_vector_cases(const Problem& problem,
                                                 const Parameters& parameters, std::uint64_t seed);
CheckCase first_matrix_vector_case(const Problem& problem, const Parameters& parameters);
CheckResult check_matrix_vector(const Engine& engine, const CheckCase& check_case,
                                const KernelChoice& kernel);

}  // namespace tessera::inline v0::multiplication
