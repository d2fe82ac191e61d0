// Irreducible blocks that take many steps, or a scaling, before their root is found.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

void expect_root(const EigenPair<double>& pair, double tolerance, long double root,
                 const std::string& what) {
  EXPECT_TRUE(pair.converged) << what << ", " << to_string(pair.reason);
  EXPECT_LE(pair.upper - pair.lower, tolerance * pair.upper) << what;
  EXPECT_LE(pair.lower, root) << what;
  EXPECT_GE(pair.upper, root) << what;
}

/// Ones on and above the diagonal, and a corner: the root is 1 + corner^(1 / n).
TEST(HardBlocksTest, NearlyJordanBlocks) {
  for (const std::size_t n : {8, 16, 64, 200}) {
    for (const double corner : {1e-100, 1e-300}) {
      std::vector<double> elements(n * n);
      for (std::size_t i = 0; i < n; i++) elements[i * n + i] = 1;
      for (std::size_t i = 0; i + 1 < n; i++) elements[i * n + i + 1] = 1;
      elements[(n - 1) * n] = corner;
      const long double root =
          1 + std::pow(static_cast<long double>(corner), 1 / static_cast<long double>(n));
      for (const double tolerance : {1e-6, 1e-12}) {
        const auto pair =
            dominant_eigenpair(Matrix<double>(engine(), n, n, elements), {.tolerance = tolerance});
        expect_root(pair, tolerance, root, std::to_string(n) + ", " + std::to_string(corner));
      }
    }
  }
}

TEST(HardBlocksTest, TheSmallestCoupling) {
  const auto pair = dominant_eigenpair(Matrix<double>(engine(), {{0.75, 5e-324}, {5e-324, 0.6}}));
  expect_root(pair, 1e-6, 0.75L, "two rows");
}

/// weights[i % 2] from i to i + 1: the root is the square root of their product.
template <class T>
void check_cycle(std::size_t n, T even, T odd) {
  std::vector<T> elements(n * n);
  for (std::size_t i = 0; i < n; i++) elements[i * n + (i + 1) % n] = i % 2 == 0 ? even : odd;
  const auto pair = dominant_eigenpair(Matrix<T>(engine(), n, n, elements));
  const double root = std::sqrt(static_cast<double>(even) * static_cast<double>(odd));
  EXPECT_TRUE(pair.converged) << n << ": " << pair.lower << " to " << pair.upper;
  EXPECT_LE(pair.lower, root * (1 + 1e-15)) << n;
  EXPECT_GE(pair.upper, root * (1 - 1e-15)) << n;
  EXPECT_EQ(pair.structure.period, n);
}

TEST(HardBlocksTest, CyclesOfAnyLength) {
  for (const std::size_t n : {1024, 1026}) {
    check_cycle<double>(n, 0x1p900, 0x1p-900);
    check_cycle<float>(n, 0x1p100f, 0x1p-100f);
    check_cycle<double>(n, 3e200, 7e-150);
  }
}

/// Bipartite, and too large and dense for the host. The rows of one half are 2^900 times the other
/// half's, and so are the vector's components. Rounds can find these only after scaling.
TEST(HardBlocksTest, LargeBlocksAreScaled) {
  constexpr std::size_t n = 1400, half = n / 2;
  std::vector<double> elements(n * n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < half; j++)
      elements[i * n + j + (i < half ? half : 0)] = i < half ? 0x1p900 : 0x1p-900;
  }
  const auto pair = dominant_eigenpair(Matrix<double>(engine(), n, n, elements));
  expect_root(pair, 1e-6, half, "root");
}

}  // namespace
}  // namespace tessera::test
