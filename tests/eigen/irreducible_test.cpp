// Roots of irreducible matrices on the host: balancing, and elimination without cancellation.
#include "eigen/irreducible.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace tessera::eigen {
namespace {

TEST(IrreducibleTest, ElementsOverTheWholeRangeOfDoubleAreBalanced) {
  const std::vector<double> a = {0, 1e300, 0, 1e-300, 0, 1e-10, 1e-280, 0, 0};
  const auto scaled = balanced(a, 3);
  for (std::size_t i = 0; i < 3; i++) {
    const auto row = std::span(scaled.elements).subspan(3 * i, 3);
    EXPECT_GE(*std::ranges::max_element(row), 0.125) << i;
    EXPECT_LE(*std::ranges::max_element(row), 8) << i;
  }
  const auto root = find_root(scaled, 1e-14, 0);
  EXPECT_LE(root.certificate.upper - root.certificate.lower, 1e-14 * root.certificate.upper);
}

TEST(IrreducibleTest, EliminationKeepsEveryComponentPrecise) {
  // (I - A) w = b with a nearly singular matrix: w = (1, 1) / (1 - a) to the last digits.
  const ScaledMatrix a{{0, 1 - 0x1p-50, 1 - 0x1p-50, 0}, {0, 0}, 0};
  const std::vector<double> v = {1, 1};
  const auto w = solve_below(a, 1, v, ratios_of(a, v), {1, 1});
  EXPECT_NEAR(w.at(0), 0x1p50, 4);
  EXPECT_NEAR(w.at(1), 0x1p50, 4);
}

}  // namespace
}  // namespace tessera::eigen
