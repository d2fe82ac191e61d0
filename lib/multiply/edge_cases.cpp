// The products that kernels are tried on.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tessera/check.hpp"

namespace tessera::inline v0 {
namespace {

/// The largest parameter that may be the edge of a tile.
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

}  // namespace

std::string describe(const MultiplyCase& product) {
  std::string text = fmt::format("{} x {} x {}", product.rows, product.columns, product.k);
  if (product.transpose_a) text += ", a transposed";
  if (product.transpose_b) text += ", b transposed";
  if (product.alpha != 1) text += fmt::format(", alpha {}", product.alpha);
  if (product.beta != 0) text += fmt::format(", beta {}", product.beta);
  if (product.strided) text += ", strided";
  return text;
}

std::vector<MultiplyCase> edge_cases(const Parameters& parameters, std::size_t largest) {
  const std::size_t edge = std::min(edge_of(parameters), largest - 3);
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
  std::vector<MultiplyCase> cases;
  for (const auto& [m, n, k] : sizes) {
    if (std::max({m, n, k}) > largest) continue;
    const std::size_t turn = cases.size();
    const auto& [alpha, beta] = kScalars[turn % kScalars.size()];
    cases.push_back({m, n, k, turn % 2 == 1, turn % 4 >= 2, alpha, beta, turn % 3 == 1, turn + 1});
  }
  // Each transpose where tiles are whole and cut, along every dimension.
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      cases.push_back(
          {edge + 1, edge + 3, edge + 2, transpose_a, transpose_b, 1, 0, transpose_a, 77});
    }
  }
  return cases;
}

std::vector<MultiplyCase> crossed_cases(std::size_t largest) {
  const std::size_t m = std::min<std::size_t>(33, largest), n = std::min<std::size_t>(47, largest),
                    k = std::min<std::size_t>(29, largest);
  std::vector<MultiplyCase> cases;
  for (unsigned bits = 0; bits < 8; bits++) {
    for (const auto& [alpha, beta] : kScalars) {
      cases.push_back({m, n, k, (bits & 1) != 0, (bits & 2) != 0, alpha, beta, (bits & 4) != 0,
                       cases.size() + 1});
    }
  }
  // More than one block of every kind.
  const MultiplyCase large{.rows = 101, .columns = 1601, .k = 263, .beta = 1};
  if (large.columns <= largest) cases.push_back(large);
  cases.push_back({m, n, k, true, false, 0, 1.5, false, 1});
  cases.push_back({m, n, k, false, true, 0, 0, true, 2});
  return cases;
}

}  // namespace tessera::inline v0
