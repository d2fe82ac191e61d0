// Roots of irreducible matrices on the host: balancing, and elimination without cancellation.
#include "eigen/irreducible.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
  const std::vector<double> elements = {0, 1 - 0x1p-50, 1 - 0x1p-50, 0}, v = {1, 1};
  const auto a = scaled(elements, {0, 0}, 0);
  const auto w = solve_below(a, 1, v, ratios_of(a, v), {1, 1});
  EXPECT_NEAR(w.at(0), 0x1p50, 4);
  EXPECT_NEAR(w.at(1), 0x1p50, 4);
}

TEST(IrreducibleTest, EliminationNoticesAShiftBelowTheRoot) {
  const std::vector<double> elements = {1, 2, 3, 1}, v = {1, 1};  // the root is 1 + sqrt(6)
  const auto a = scaled(elements, {0, 0}, 0);
  EXPECT_TRUE(solve_below(a, 3.44, v, ratios_of(a, v), {1, 1}).empty());
  EXPECT_FALSE(solve_below(a, 3.45, v, ratios_of(a, v), {1, 1}).empty());
}

TEST(IrreducibleTest, ComponentsBelowTheRangeOfDoubleMoveIntoTheScaling) {
  const std::vector<double> a = {0.5, 5e-324, 0, 0, 0.6, 5e-324, 5e-324, 0, 0.75};
  const auto root = find_root(balanced(a, 3), 1e-14, 0);
  EXPECT_LE(root.certificate.upper - root.certificate.lower, 1e-14 * root.certificate.upper);
  const auto logarithm = [&](std::size_t i) {
    return root.exponents[i] + std::log2(root.vector[i]);
  };
  EXPECT_NEAR(logarithm(0) - logarithm(1), -1074 - std::log2(0.75 - 0.5), 1e-9);
  EXPECT_NEAR(logarithm(1) - logarithm(2), -1074 - std::log2(0.75 - 0.6), 1e-9);
}

TEST(IrreducibleTest, SparseMatricesTakeFewMultiplications) {
  const std::size_t n = 300;
  std::vector<double> a(n * n);
  for (std::size_t i = 0; i < n; i++) a[i * n + (i + 1) % n] = 1;
  EXPECT_LE(multiplications(a, n, 1e12), n * n);
  a.assign(n * n, 1);
  EXPECT_NEAR(multiplications(a, n, 1e12), n * n * n / 3, n * n);
  EXPECT_GT(multiplications(a, n, 1e4), 1e4);
}

}  // namespace
}  // namespace tessera::eigen
