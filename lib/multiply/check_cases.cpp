// The products that checks try: sizes around tile edges, transposes, scalars, strides and batches.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "multiply/check.hpp"
#include "operands/numbers.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// A kernel's blocks, with extents from 8 to `largest` - 8, so that cases may exceed them a little.
Blocks blocks_below(std::size_t largest, const Parameters& parameters) {
  Blocks block = blocks_of(parameters);
  for (std::size_t* const size : {&block.m, &block.n, &block.k})
    *size = std::clamp<std::size_t>(*size, 8, largest - 8);
  return block;
}

/// The first cases that are small enough: all of them with each of `ops` for a variant's defaults,
/// else each case with one.
std::vector<CheckCase> first_cases(decltype(first_multiply_cases)* list,
                                   const std::vector<Ops>& ops, const ProductTypes& types,
                                   const Parameters& parameters, bool defaults,
                                   std::size_t largest) {
  std::vector<CheckCase> cases;
  for (std::size_t turn = 0; turn < ops.size(); turn++) {
    const auto all = list({.types = types, .op_a = ops[turn].a, .op_b = ops[turn].b}, parameters);
    for (std::size_t i = 0; i < all.size(); i++) {
      const Problem& problem = all[i].problem;
      const bool is_small = std::max({problem.m, problem.n, problem.k, problem.batch}) <= largest;
      if (is_small && (defaults || i % ops.size() == turn)) cases.push_back(all[i]);
    }
  }
  return cases;
}

/// Every transpose of a, and of complex elements with every pair of conjugates of a and x.
std::vector<Ops> vector_ops(ElementType type) {
  std::vector<Ops> all = {{Op::none, Op::none}, {Op::transpose, Op::none}};
  if (!is_complex(type)) return all;
  all.insert(all.end(), {{Op::conjugate, Op::none},
                         {Op::conjugate_transpose, Op::none},
                         {Op::none, Op::conjugate},
                         {Op::transpose, Op::conjugate},
                         {Op::conjugate, Op::conjugate},
                         {Op::conjugate_transpose, Op::conjugate}});
  return all;
}

/// Every op with every kind of alpha, beta and stride, and more than one block of each kind.
std::vector<CheckCase> crossed_cases(const ProductTypes& types, std::size_t largest) {
  const std::size_t m = std::min<std::size_t>(33, largest), n = std::min<std::size_t>(47, largest),
                    k = std::min<std::size_t>(29, largest);
  std::vector<CheckCase> cases;
  const auto add = [&](const Ops& ops, const Scalar& alpha, const Scalar& beta, bool strided) {
    cases.push_back({{.types = types,
                      .m = m,
                      .n = n,
                      .k = k,
                      .op_a = ops.a,
                      .op_b = ops.b,
                      .alpha = alpha,
                      .beta = beta},
                     strided,
                     cases.size() + 1});
  };
  for (const bool strided : {false, true}) {
    for (std::size_t pair = 0; pair < pairs_of_ops(types.a); pair++) {
      for (std::size_t turn = 0; turn < 5; turn++) {
        const auto [alpha, beta] = scalars_of(types.a, turn);
        add(ops_of(types.a, pair), alpha, beta, strided);
      }
    }
  }
  add(ops_of(types.a, 5), 0, operands::is_integer(types.a) ? 2 : 1.5, false);
  add(ops_of(types.a, 10), 0, 0, true);
  const Problem large{.types = types, .m = 101, .n = 1601, .k = 283, .beta = 1};
  if (large.n <= largest) cases.push_back({large});
  return cases;
}

/// Sizes around the edges of blocks, in turn with every op, every kind of scalars, and strides.
std::vector<CheckCase> cases_of_sizes(const ProductTypes& types, const Blocks& block,
                                      std::size_t largest) {
  const auto [m_edge, n_edge, k_edge] = std::array{block.m, block.n, block.k};
  const std::vector<std::array<std::size_t, 3>> sizes = {{1, 1, 1},
                                                         {2, 3, 1},
                                                         {1, 2, 3},
                                                         {m_edge - 1, n_edge, k_edge + 1},
                                                         {m_edge + 1, n_edge - 1, k_edge},
                                                         {m_edge, n_edge + 1, k_edge - 1},
                                                         {m_edge, n_edge, k_edge},
                                                         {67, 131, 37},
                                                         {37, 41, 67},
                                                         {259, 3, 5},
                                                         {3, 517, 7},
                                                         {5, 6, 1031},
                                                         {7, 61, 2},
                                                         {0, 5, 3},
                                                         {5, 0, 3},
                                                         {5, 3, 0},
                                                         {0, 0, 0}};
  std::vector<CheckCase> cases;
  for (const auto& [m, n, k] : sizes) {
    if (std::max({m, n, k}) > largest) continue;
    const std::size_t turn = cases.size();
    const auto [alpha, beta] = scalars_of(types.a, turn);
    const Ops ops = ops_of(types.a, turn);
    cases.push_back({{.types = types,
                      .m = m,
                      .n = n,
                      .k = k,
                      .op_a = ops.a,
                      .op_b = ops.b,
                      .alpha = alpha,
                      .beta = beta},
                     turn % 3 == 1,
                     turn + 1});
  }
  return cases;
}

/// Each op with full and partial tiles along every dimension. In some cases kernels can store whole
/// runs of C's rows, in others not.
std::vector<CheckCase> transposed_cases(const ProductTypes& types, const Blocks& block) {
  std::vector<CheckCase> cases;
  for (std::size_t pair = 0; pair < pairs_of_ops(types.a); pair++) {
    const Ops ops = ops_of(types.a, pair);
    cases.push_back({{.types = types,
                      .m = block.m + 1,
                      .n = block.n + (is_transposed(ops.b) ? 8 : 3),
                      .k = block.k + 2,
                      .op_a = ops.a,
                      .op_b = ops.b},
                     is_transposed(ops.a),
                     77});
  }
  return cases;
}

/// Batches: empty, small, and of more products than a CPU has cores.
std::vector<CheckCase> batched_cases(const ProductTypes& types, const Blocks& block,
                                     std::size_t largest) {
  std::vector<CheckCase> cases;
  for (const std::size_t batch : {std::size_t{0}, std::size_t{3}, std::size_t{37}}) {
    if (batch > largest) continue;
    const Ops ops = ops_of(types.a, batch == 3 ? 5 : batch == 37 ? 10 : 0);
    cases.push_back({{.types = types,
                      .m = std::min<std::size_t>(block.m + 1, 21),
                      .n = std::min<std::size_t>(block.n, 19),
                      .k = std::min<std::size_t>(block.k + 2, 23),
                      .batch = batch,
                      .op_a = ops.a,
                      .op_b = ops.b,
                      .beta = batch == 3 ? 1.0 : 0.0},
                     batch == 3,
                     batch});
  }
  return cases;
}

}  // namespace

std::vector<CheckCase> multiply_cases(const ProductTypes& types, const Parameters& parameters,
                                      bool defaults, std::size_t largest) {
  const Blocks block = blocks_below(largest, parameters);
  std::vector<CheckCase> cases = cases_of_sizes(types, block, largest);
  std::ranges::move(transposed_cases(types, block), std::back_inserter(cases));
  std::ranges::move(batched_cases(types, block, largest), std::back_inserter(cases));
  std::vector<Ops> ops;
  while (ops.size() < 4) ops.push_back(ops_of(types.a, 5 * ops.size()));
  std::ranges::move(first_cases(first_multiply_cases, ops, types, parameters, defaults, largest),
                    std::back_inserter(cases));
  if (defaults) std::ranges::move(crossed_cases(types, largest), std::back_inserter(cases));
  return cases;
}

std::vector<CheckCase> final_multiply_cases(const Problem& problem, const Parameters&,
                                            std::uint64_t seed) {
  constexpr std::array<std::array<std::size_t, 3>, 9> kSizes = {{{1, 1, 1},
                                                                 {2, 3, 5},
                                                                 {127, 129, 131},
                                                                 {333, 251, 77},
                                                                 {1031, 3, 17},
                                                                 {5, 1033, 19},
                                                                 {1, 515, 260},
                                                                 {517, 1, 130},
                                                                 {7, 9, 2049}}};
  std::vector<CheckCase> all;
  for (const auto& [m, n, k] : kSizes) {
    const std::size_t turn = 1 + all.size() / 2 % 3;
    for (const std::size_t other : {std::size_t{0}, turn}) {
      const Ops ops = ops_of(problem.types.a, 5 * other);
      all.push_back({{.types = problem.types,
                      .m = m,
                      .n = n,
                      .k = k,
                      .batch = problem.batch == 1 ? std::size_t{1} : std::size_t{3},
                      .op_a = composed(problem.types.a, problem.op_a, ops.a),
                      .op_b = composed(problem.types.b, problem.op_b, ops.b),
                      .mode = problem.mode},
                     k % 2 == 0,
                     seed++});
    }
  }
  return all;
}

std::vector<CheckCase> matrix_vector_cases(const ProductTypes& types, const Parameters& parameters,
                                           bool defaults, std::size_t largest) {
  std::vector<std::array<std::size_t, 2>> sizes = {
      {1, 1},   {2, 3},    {3, 2},    {1, 37},   {37, 1},   {15, 16},  {16, 15}, {17, 129},
      {129, 7}, {67, 131}, {259, 61}, {5, 1031}, {1031, 5}, {2051, 3}, {0, 5},   {5, 0}};
  // Shapes that split k into parts, or span several blocks of rows.
  if (defaults) sizes.insert(sizes.end(), {{3, 200003}, {40, 9001}, {9001, 11}});
  const std::vector<Ops> all_ops = vector_ops(types.a);
  std::vector<CheckCase> cases;
  for (const auto& [m, k] : sizes) {
    if (std::max(m, k) > largest) continue;
    for (std::size_t transpose = 0; transpose < 2; transpose++) {
      const auto [alpha, beta] = scalars_of(types.a, cases.size() + cases.size() / 5);
      const Ops ops = all_ops[cases.size() % all_ops.size()];
      cases.push_back({{.types = types,
                        .m = m,
                        .n = 1,
                        .k = k,
                        .op_a = ops.a,
                        .op_b = ops.b,
                        .alpha = alpha,
                        .beta = beta},
                       cases.size() / 2 % 2 == 1,
                       cases.size() + 1});
    }
  }
  std::ranges::move(
      first_cases(first_matrix_vector_cases, all_ops, types, parameters, defaults, largest),
      std::back_inserter(cases));
  return cases;
}

std::vector<CheckCase> final_matrix_vector_cases(const Problem& problem, const Parameters&,
                                                 std::uint64_t seed) {
  constexpr std::array<std::array<std::size_t, 2>, 6> kSizes = {
      {{1, 1}, {3, 5}, {127, 129}, {1031, 17}, {17, 1033}, {5, 20011}}};
  std::vector<CheckCase> all;
  for (const auto& [m, k] : kSizes) {
    for (const bool transpose : {false, true}) {
      all.push_back({{.operation = problem.operation,
                      .types = problem.types,
                      .m = m,
                      .n = 1,
                      .k = k,
                      .op_a = op_if(transpose, is_conjugated(problem.op_a)),
                      .op_b = problem.op_b,
                      .mode = problem.mode},
                     m % 2 == 0,
                     seed++});
    }
  }
  return all;
}

}  // namespace tessera::inline v0::multiplication
