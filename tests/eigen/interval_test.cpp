// The proven interval, against bounds of the spectral radius in long double: random matrices of
// many kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "random_matrix.hpp"
#include "support/device.hpp"
#include "true_root.hpp"

namespace tessera::test {
namespace {

template <class T>
void check_interval(Kind kind, std::size_t n, std::uint64_t seed, double tolerance) {
  std::mt19937_64 random(seed);
  const auto elements = random_matrix<T>(kind, n, random);
  const Matrix<T> a(engine(), n, n, elements);
  const auto pair = dominant_eigenpair(a, {.tolerance = tolerance, .max_rounds = 3000});
  const auto vector = pair.vector.to_host();
  const std::vector<Number> wide(elements.begin(), elements.end()), v(vector.begin(), vector.end());
  const Bounds truth = reference(wide, v);
  const std::string what = "kind " + std::to_string(static_cast<int>(kind)) + ", n " +
                           std::to_string(n) + ", seed " + std::to_string(seed);
  ASSERT_LE(truth.upper - truth.lower, 1e-12L * truth.upper) << what << ": no reference";
  EXPECT_LE(pair.lower, truth.upper) << what;
  EXPECT_GE(pair.upper, truth.lower) << what;
  EXPECT_GE(pair.residual, residual(wide, v, pair.value)) << what;
  EXPECT_LE(pair.lower, pair.value) << what;
  EXPECT_LE(pair.value, pair.upper) << what;
  if (pair.converged) {
    EXPECT_LE(pair.upper - pair.lower, tolerance * pair.upper) << what;
    EXPECT_LE(pair.residual, 2 * tolerance + 1.1 * std::numeric_limits<T>::epsilon()) << what;
  }
  if (kind == Kind::plain || kind == Kind::small || kind == Kind::large) {
    EXPECT_TRUE(pair.converged) << what << " ended as " << to_string(pair.reason);
  }
  EXPECT_EQ(*std::ranges::max_element(vector), 1) << what;
}

class IntervalTest : public testing::TestWithParam<int> {};

/// Together 500 matrices, most of them small.
TEST_P(IntervalTest, HoldsTheSpectralRadius) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  std::uniform_real_distribution<double> logarithm(0, std::log(700.0));
  for (int i = 0; i < 50; i++) {
    const auto n = static_cast<std::size_t>(std::exp(logarithm(random)) + 0.5);
    const auto kind = static_cast<Kind>(i % 6);
    const double tolerance = i % 4 < 2 ? 1e-6 : 1e-10;
    if (i % 2 == 0) {
      check_interval<float>(kind, n, random(), tolerance);
    } else {
      check_interval<double>(kind, n, random(), tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, IntervalTest, testing::Range(0, 10));

/// All rows are the same, and so are the errors of their sums.
template <class T>
void check_equal_rows(Accumulator accumulator, std::uint64_t seed) {
  constexpr std::size_t n = 1000;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> logarithm(-9, 0);
  std::vector<T> elements(n * n);
  for (std::size_t j = 0; j < n; j++) elements[j] = static_cast<T>(std::pow(10, logarithm(random)));
  for (std::size_t i = n; i < n * n; i++) elements[i] = elements[i - n];
  const Matrix<T> a(engine(), n, n, elements);
  const Bounds truth = ratio_bounds({elements.begin(), elements.end()}, std::vector<Number>(n, 1));
  for (const char* variant : {"row_per_item", "row_per_group"}) {
    const auto pair = dominant_eigenpair(
        a,
        {.kernels = {{"implicit_round", KernelChoice{variant, {}}}}, .accumulator = accumulator});
    EXPECT_TRUE(pair.converged) << variant << ", " << to_string(accumulator);
    EXPECT_LE(pair.lower, truth.upper) << variant << ", " << to_string(accumulator);
    EXPECT_GE(pair.upper, truth.lower) << variant << ", " << to_string(accumulator);
  }
}

TEST(IntervalTest, HoldsWhereAllRatiosHaveTheSameError) {
  for (std::uint64_t seed = 0; seed < 5; seed++) {
    check_equal_rows<double>(Accumulator::float64, seed);
    check_equal_rows<float>(Accumulator::two_floats, seed);
  }
}

/// Of a block-triangular matrix the spectral radius is the largest of its blocks'.
TEST(IntervalTest, HoldsForReducibleMatrices) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  for (const std::size_t n : {2, 5, 30, 101}) {
    const std::size_t half = n / 2;
    std::vector<double> a(n * n);
    for (std::size_t i = 0; i < n; i++) {
      for (std::size_t j = 0; j < n; j++)
        a[i * n + j] = i >= half && j < half ? 0 : uniform(random);
    }
    Number lower = 0, upper = 0;
    for (const auto& [first, size] : {std::pair{std::size_t{0}, half}, std::pair{half, n - half}}) {
      std::vector<Number> block;
      for (std::size_t i = 0; i < size; i++) {
        for (std::size_t j = 0; j < size; j++) block.push_back(a[(first + i) * n + first + j]);
      }
      const Bounds bounds = reference(block, std::vector<Number>(size, 1));
      lower = std::max(lower, bounds.lower);
      upper = std::max(upper, bounds.upper);
    }
    const auto pair = dominant_eigenpair(Matrix<double>(engine(), n, n, a), {.max_rounds = 500});
    EXPECT_LE(pair.lower, upper) << n;
    EXPECT_GE(pair.upper, lower) << n;
  }
}

}  // namespace
}  // namespace tessera::test
