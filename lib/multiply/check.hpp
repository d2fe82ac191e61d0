// Checks of multiply: awkward products, and one of them run and held against its reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/check.hpp"

namespace tessera::inline v0::multiplication {

/// Sizes around the parameters that are edges of tiles, every transpose, batches; with the defaults
/// every transpose with every kind of alpha, beta and stride.
std::vector<CheckCase> multiply_cases(ElementType type, const Parameters& parameters, bool defaults,
                                      std::size_t largest);

/// Odd, tall, wide and tiny products with the problem's transposes, and in turn with the others.
std::vector<CheckCase> final_multiply_cases(const Problem& problem, const Parameters& parameters,
                                            std::uint64_t seed);

CheckResult check_multiply(const Engine& engine, const CheckCase& check_case,
                           const KernelChoice& kernel);

/// Both orders of matrices that are tiny, tall and wide; with the defaults also what is done in
/// parts.
std::vector<CheckCase> matrix_vector_cases(ElementType type, const Parameters& parameters,
                                           bool defaults, std::size_t largest);
std::vector<CheckCase> final_matrix_vector_cases(const Problem& problem,
                                                 const Parameters& parameters, std::uint64_t seed);
CheckResult check_matrix_vector(const Engine& engine, const CheckCase& check_case,
                                const KernelChoice& kernel);

}  // namespace tessera::inline v0::multiplication
