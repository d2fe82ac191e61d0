// Checks of multiply: edge-case products, each run and compared with its reference.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/workload.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0::multiplication {

/// The blocks of a product from a kernel's parameters; an extent without a parameter is 1.
struct Blocks {
  std::size_t m, n, k;               ///< a tile of C, and steps along k without a branch
  std::size_t rows, columns, depth;  ///< what is packed at once
};

Blocks blocks_of(const Parameters& parameters);

/// alpha and beta for the `turn`-th of some cases: with and without each, small integers, and
/// neither.
std::array<double, 2> scalars_of(ElementType type, std::size_t turn);

/// Sizes around the blocks of `parameters`, every transpose, and batches; if `defaults`, also every
/// transpose with every kind of alpha, beta and stride.
std::vector<CheckCase> multiply_cases(const ProductTypes& types, const Parameters& parameters,
                                      bool defaults, std::size_t largest);

/// Odd, tall, wide and tiny products with the problem's transposes, and in turn with the others.
std::vector<CheckCase> final_multiply_cases(const Problem& problem, const Parameters& parameters,
                                            std::uint64_t seed);

/// Whole and partial blocks along every dimension and in every number of columns beside them,
/// several blocks of each kind, large batches, and what is not finite.
std::vector<CheckCase> first_multiply_cases(const Problem& problem, const Parameters& parameters);

CheckResult check_multiply(const Engine& engine, const CheckCase& check_case,
                           const kernels::SharedPlan& plan);

/// Tiny, tall and wide matrices in both storage orders; if `defaults`, also sizes whose k is split
/// into parts.
std::vector<CheckCase> matrix_vector_cases(const ProductTypes& types, const Parameters& parameters,
                                           bool defaults, std::size_t largest);
std::vector<CheckCase> final_matrix_vector_cases(const Problem& problem,
                                                 const Parameters& parameters, std::uint64_t seed);
std::vector<CheckCase> first_matrix_vector_cases(const Problem& problem,
                                                 const Parameters& parameters);
CheckResult check_matrix_vector(const Engine& engine, const CheckCase& check_case,
                                const kernels::SharedPlan& plan);

}  // namespace tessera::inline v0::multiplication
