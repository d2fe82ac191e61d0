// The products that checks try: sizes around tile edges, transposes, scalars, strides and batches.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "multiply/check.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// The largest parameter that could be a tile edge.
std::size_t edge_of(const Parameters& parameters) {
  std::size_t edge = 8;
  for (const auto& [name, value] : parameters) {
    const auto size = static_cast<std::size_t>(value);
    if (size <= 128) edge = std::max(edge, size);
  }
  return edge;
}

constexpr std::array<std::array<double, 2>, 4> kScalars = {
    {{1, 0}, {2, 0}, {1, 1}, {-3, 2}}};  // alpha, beta

/// Every transpose with every kind of alpha, beta and stride, and more than one block of each kind.
std::vector<CheckCase> crossed_cases(ElementType type, std::size_t largest) {
  const std::size_t m = std::min<std::size_t>(33, largest), n = std::min<std::size_t>(47, largest),
                    k = std::min<std::size_t>(29, largest);
  std::vector<CheckCase> cases;
  const auto add = [&](bool transpose_a, bool transpose_b, double alpha, double beta,
                       bool strided) {
    cases.push_back({{.type = type,
                      .m = m,
                      .n = n,
                      .k = k,
                      .transpose_a = transpose_a,
                      .transpose_b = transpose_b,
                      .alpha = alpha,
                      .beta = beta},
                     strided,
                     cases.size() + 1});
  };
  for (unsigned bits = 0; bits < 8; bits++) {
    for (const auto& [alpha, beta] : kScalars)
      add((bits & 1) != 0, (bits & 2) != 0, alpha, beta, (bits & 4) != 0);
  }
  add(true, false, 0, 1.5, false);
  add(false, true, 0, 0, true);
  const Problem large{.type = type, .m = 101, .n = 1601, .k = 283, .beta = 1};
  if (large.n <= largest) cases.push_back({large});
  return cases;
}

/// Sizes around the tile edges, in turn with every transpose, every kind of scalars, and strides.
std::vector<CheckCase> cases_of_sizes(ElementType type, std::size_t edge, std::size_t largest) {
  const std::vector<std::array<std::size_t, 3>> sizes = {{1, 1, 1},
                                                         {2, 3, 1},
                                                         {1, 2, 3},
                                                         {edge - 1, edge, edge + 1},
                                                         {edge + 1, edge - 1, edge},
                                                         {edge, edge + 1, edge - 1},
                                                         {edge, edge, edge},
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
    const auto& [alpha, beta] = kScalars[turn % kScalars.size()];
    cases.push_back({{.type = type,
                      .m = m,
                      .n = n,
                      .k = k,
                      .transpose_a = turn % 2 == 1,
                      .transpose_b = turn % 4 >= 2,
                      .alpha = alpha,
                      .beta = beta},
                     turn % 3 == 1,
                     turn + 1});
  }
  return cases;
}

/// Each transpose with full and partial tiles along every dimension, and rows of C that are a
/// multiple of what kernels store at once, and that are not.
std::vector<CheckCase> transposed_cases(ElementType type, std::size_t edge) {
  std::vector<CheckCase> cases;
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      cases.push_back({{.type = type,
                        .m = edge + 1,
                        .n = edge + (transpose_b ? 8 : 3),
                        .k = edge + 2,
                        .transpose_a = transpose_a,
                        .transpose_b = transpose_b},
                       transpose_a,
                       77});
    }
  }
  return cases;
}

/// Batches: empty, small, and of more products than a CPU has cores.
std::vector<CheckCase> batched_cases(ElementType type, std::size_t edge, std::size_t largest) {
  std::vector<CheckCase> cases;
  for (const std::size_t batch : {std::size_t{0}, std::size_t{3}, std::size_t{37}}) {
    if (batch > largest) continue;
    cases.push_back({{.type = type,
                      .m = std::min<std::size_t>(edge + 1, 21),
                      .n = std::min<std::size_t>(edge, 19),
                      .k = std::min<std::size_t>(edge + 2, 23),
                      .batch = batch,
                      .transpose_a = batch == 3,
                      .transpose_b = batch == 37,
                      .beta = batch == 3 ? 1.0 : 0.0},
                     batch == 3,
                     batch});
  }
  return cases;
}

}  // namespace

std::vector<CheckCase> multiply_cases(ElementType type, const Parameters& parameters, bool defaults,
                                      std::size_t largest) {
  const std::size_t edge = std::min(edge_of(parameters), largest - 3);
  std::vector<CheckCase> cases = cases_of_sizes(type, edge, largest);
  std::ranges::move(transposed_cases(type, edge), std::back_inserter(cases));
  std::ranges::move(batched_cases(type, edge, largest), std::back_inserter(cases));
  if (defaults) std::ranges::move(crossed_cases(type, largest), std::back_inserter(cases));
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
      all.push_back({{.type = problem.type,
                      .m = m,
                      .n = n,
                      .k = k,
                      .batch = problem.batch == 1 ? std::size_t{1} : std::size_t{3},
                      .transpose_a = problem.transpose_a != (other % 2 == 1),
                      .transpose_b = problem.transpose_b != (other >= 2),
                      .mode = problem.mode},
                     k % 2 == 0,
                     seed++});
    }
  }
  return all;
}

CheckCase first_multiply_case(const Problem& problem, const Parameters& parameters) {
  // A CPU's tile is 64 columns wide, of four vectors.
  const std::size_t edge = std::max<std::size_t>(edge_of(parameters), 64);
  return {{.type = problem.type,
           .m = edge + 1,
           .n = 2 * edge + 3,
           .k = edge + 2,
           .batch = problem.batch == 1 ? std::size_t{1} : std::size_t{3},
           .transpose_a = problem.transpose_a,
           .transpose_b = problem.transpose_b,
           .mode = problem.mode}};
}

std::vector<CheckCase> matrix_vector_cases(ElementType type, const Parameters&, bool defaults,
                                           std::size_t largest) {
  std::vector<std::array<std::size_t, 2>> sizes = {
      {1, 1},   {2, 3},    {3, 2},    {1, 37},   {37, 1},   {15, 16},  {16, 15}, {17, 129},
      {129, 7}, {67, 131}, {259, 61}, {5, 1031}, {1031, 5}, {2051, 3}, {0, 5},   {5, 0}};
  // Shapes that split k into parts, or span several blocks of rows.
  if (defaults) sizes.insert(sizes.end(), {{3, 200003}, {40, 9001}, {9001, 11}});
  std::vector<CheckCase> cases;
  for (const auto& [m, k] : sizes) {
    if (std::max(m, k) > largest) continue;
    for (const bool transpose : {false, true}) {
      const auto& [alpha, beta] = kScalars[(cases.size() + cases.size() / 4) % kScalars.size()];
      cases.push_back({{.type = type,
                        .m = m,
                        .n = 1,
                        .k = k,
                        .transpose_a = transpose,
                        .alpha = alpha,
                        .beta = beta},
                       cases.size() / 2 % 2 == 1,
                       cases.size() + 1});
    }
  }
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
                      .type = problem.type,
                      .m = m,
                      .n = 1,
                      .k = k,
                      .transpose_a = transpose,
                      .mode = problem.mode},
                     m % 2 == 0,
                     seed++});
    }
  }
  return all;
}

CheckCase first_matrix_vector_case(const Problem& problem, const Parameters&) {
  return {{.operation = problem.operation,
           .type = problem.type,
           .m = 67,
           .n = 1,
           .k = 1031,  // by columns in parts
           .transpose_a = problem.transpose_a,
           .mode = problem.mode}};
}

}  // namespace tessera::inline v0::multiplication
