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
/// neither; of complex elements, also with imaginary parts.
std::array<Scalar, 2> scalars_of(ElementType type, std::size_t turn);

/// The ops of a and b for the `turn`-th of some cases. The first 4 are every transpose. Of complex
/// elements, the first 16 are every op, and each fifth pair is one of adjoints.
struct Ops {
  Op a, b;
};
Ops ops_of(ElementType type, std::size_t turn);
constexpr std::size_t pairs_of_ops(ElementType type) { return is_complex(type) ? 16 : 4; }

/// Sizes around the blocks of `parameters`, every op, and batches; if `defaults`, also every op
/// with every kind of alpha, beta and stride.
std::vector<CheckCase> multiply_cases(const ProductTypes& types, const Parameters& parameters,
                                      bool defaults, std::size_t largest);

/// Odd, tall, wide and tiny products with the problem's ops, and in turn with others.
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
