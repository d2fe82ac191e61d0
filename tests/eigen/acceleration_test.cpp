// acceleration: Krylov restarts that help, restarts that do not, and invalid options.
#include <gtest/gtest.h>

#include <cmath>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

/// Nearly decoupled blocks: thousands of rounds, or a few restarts.
TEST(AccelerationTest, KrylovRestartsFindWhatTakesManyRounds) {
  constexpr std::size_t n = 150;
  for (const std::size_t blocks : {2u, 5u}) {
    std::vector<double> elements(n * n);
    for (std::size_t i = 0; i < n; i++) {
      for (std::size_t j = 0; j < n; j++) {
        const bool apart = i * blocks / n != j * blocks / n;
        elements[i * n + j] = (1 + static_cast<double>((7 * i + 13 * j) % 17)) * (apart ? 1e-5 : 1);
      }
    }
    const Matrix<double> a(engine(), n, n, elements);
    const std::vector<float> rounded(elements.begin(), elements.end());
    const Matrix<float> in_float(engine(), n, n, rounded);
    const auto plain = dominant_eigenpair(
        a, {.tolerance = 1e-6, .max_rounds = 1000, .acceleration = Acceleration::none});
    EXPECT_FALSE(plain.converged) << "too easy";
    const EigenOptions options{
        .tolerance = 1e-10, .max_rounds = 2000, .acceleration = Acceleration::krylov};
    const auto pair = dominant_eigenpair(a, options);
    EXPECT_TRUE(pair.converged) << to_string(pair.reason) << " after " << pair.rounds;
    EXPECT_LE(pair.upper - pair.lower, 1e-10 * pair.upper);
    EXPECT_LE(plain.lower, pair.lower);
    EXPECT_LE(pair.upper, plain.upper);
    EXPECT_TRUE(dominant_eigenpair(in_float, options).converged);
    auto in_two_floats = options;
    in_two_floats.tolerance = 1e-9;
    in_two_floats.accumulator = Accumulator::two_floats;
    EXPECT_TRUE(dominant_eigenpair(in_float, in_two_floats).converged);
  }
}

/// The first restart comes after as many rounds, and the second solve makes the same choices.
TEST(AccelerationTest, WithoutTheOptionASmallGapTakesAsManyRoundsAsWithIt) {
  for (const std::size_t n : {2u, 40u, 300u, 600u}) {
    std::vector<float> elements(n * n);
    for (std::size_t i = 0; i < elements.size(); i++) {
      const bool apart = (i / n < n / 2) != (i % n < n / 2);
      elements[i] =
          (1 + static_cast<float>((7 * (i / n) + 13 * (i % n)) % 17) / 34) * (apart ? 1e-5f : 1);
    }
    const Matrix<float> a(engine(), n, n, elements);
    const auto krylov =
        dominant_eigenpair(a, {.tolerance = 1e-8, .acceleration = Acceleration::krylov});
    const auto pair = dominant_eigenpair(a, {.tolerance = 1e-8});
    EXPECT_TRUE(pair.converged) << n;
    EXPECT_GE(pair.rounds, 16u) << "too easy, " << n;
    EXPECT_EQ(pair.rounds, krylov.rounds) << n;
    EXPECT_EQ(pair.lower, krylov.lower) << n;
    EXPECT_EQ(pair.upper, krylov.upper) << n;
    const auto again = dominant_eigenpair(a, {.tolerance = 1e-8});
    EXPECT_EQ(pair.lower, again.lower) << n;
    EXPECT_EQ(pair.upper, again.upper) << n;
    EXPECT_EQ(pair.vector.to_host(), again.vector.to_host()) << n;
  }
}

/// With a gap that makes for a few rounds more than a batch, restarts are left alone.
TEST(AccelerationTest, WhereFewRoundsAreLeftTheyAreTaken) {
  constexpr std::size_t n = 64;
  std::vector<double> elements(n * n);
  for (std::size_t i = 0; i < elements.size(); i++)
    elements[i] = 1 / (1 + static_cast<double>(i / n + i % n));  // the Hilbert matrix
  const Matrix<double> a(engine(), n, n, elements);
  const EigenOptions options{.tolerance = 1e-10};
  auto plain = options;
  plain.acceleration = Acceleration::none;
  const auto pair = dominant_eigenpair(a, options), unaided = dominant_eigenpair(a, plain);
  EXPECT_GT(pair.rounds, 16u);
  EXPECT_EQ(pair.rounds, unaided.rounds);
  EXPECT_EQ(pair.lower, unaided.lower);
}

/// Smooth kernels have many eigenvalues close to the first.
TEST(AccelerationTest, KrylovRestartsHelpWithManyCloseEigenvalues) {
  constexpr std::size_t n = 200;
  std::vector<double> elements(n * n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++)
      elements[i * n + j] = std::exp(-std::fabs(static_cast<double>(i) - static_cast<double>(j)));
  }
  const Matrix<double> a(engine(), n, n, elements);
  const auto plain = dominant_eigenpair(a, {.acceleration = Acceleration::none});
  const auto pair = dominant_eigenpair(a, {.acceleration = Acceleration::krylov});
  EXPECT_TRUE(plain.converged);
  EXPECT_TRUE(pair.converged) << to_string(pair.reason);
  EXPECT_LE(4 * pair.rounds, plain.rounds);
  EXPECT_LE(pair.lower, plain.upper);
  EXPECT_LE(plain.lower, pair.upper);
}

TEST(AccelerationTest, KrylovRestartsEndPeriodsAndLeaveEasyMatricesAlone) {
  const EigenOptions options{.acceleration = Acceleration::krylov};
  const Matrix<double> periodic(engine(), {{0, 2}, {3, 0}});
  const auto pair = dominant_eigenpair(periodic, options);
  EXPECT_LE(pair.lower, std::sqrt(6.0));
  EXPECT_GE(pair.upper, std::sqrt(6.0));
  const Matrix<double> reducible(engine(), {{2, 1}, {0, 1}});
  const auto bounds = dominant_eigenpair(reducible, options);
  EXPECT_LE(bounds.lower, 2);
  EXPECT_GE(bounds.upper, 2);
  const Matrix<double> a(engine(), {{1, 1, 2}, {2, 1, 3}, {2, 3, 5}});
  EXPECT_EQ(dominant_eigenpair(a, options).rounds, dominant_eigenpair(a).rounds);
  for (const EigenMethod method : {EigenMethod::fused, EigenMethod::explicit_steps}) {
    EXPECT_THROW(dominant_eigenpair(a, {.method = method, .acceleration = Acceleration::krylov}),
                 UnsupportedError);
  }
}

TEST(AccelerationTest, KrylovRestartsHelpAtEveryScale) {
  constexpr std::size_t n = 100;
  for (const double scale : {1e-200, 1.0, 1e200}) {
    std::vector<double> elements(n * n);
    for (std::size_t i = 0; i < elements.size(); i++) {
      const bool apart = (i / n < n / 2) != (i % n < n / 2);
      elements[i] = scale * (1 + static_cast<double>(i % 7)) * (apart ? 1e-4 : 1);
    }
    const auto pair = dominant_eigenpair(Matrix<double>(engine(), n, n, elements),
                                         {.acceleration = Acceleration::krylov});
    EXPECT_TRUE(pair.converged) << scale;
    EXPECT_LE(pair.rounds, 200u) << scale;
  }
}

}  // namespace
}  // namespace tessera::test
