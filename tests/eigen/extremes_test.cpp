// Matrices at the ends of the number range: no interval is called proven that does not hold.
#include <gtest/gtest.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

constexpr std::array kMethods = {EigenMethod::implicit, EigenMethod::fused,
                                 EigenMethod::explicit_steps};
constexpr std::array kStops = {StopTest::bounds, StopTest::neighbours};
constexpr std::array kVariants = {"row_per_item", "row_per_group"};

/// Covers every kind of arithmetic: double, and two floats, whose products vanish early.
TEST(ExtremesTest, IntervalsHoldAtTheEndsOfFloat) {
  for (const float scale : {0x1p-100f, 0x1p-62f, 4e18f, 0x1p100f}) {
    const Matrix<float> a(engine(), {{scale, 2 * scale}, {3 * scale, 4 * scale}});
    const double lambda = (5 + std::sqrt(33.0)) / 2 * static_cast<double>(scale);
    for (const Accumulator accumulator : {Accumulator::two_floats, Accumulator::float64}) {
      for (const char* variant : kVariants) {
        for (const std::uint32_t maximum : {0u, 1u, 1000u}) {
          const auto pair =
              dominant_eigenpair(a, {.tolerance = 1e-5,
                                     .max_rounds = maximum,
                                     .kernels = {{"implicit_round", KernelChoice{variant, {}}}},
                                     .accumulator = accumulator});
          EXPECT_LE(pair.lower, lambda) << scale << ", " << to_string(accumulator);
          EXPECT_GE(pair.upper, lambda) << scale << ", " << to_string(accumulator);
          if (accumulator == Accumulator::float64 && maximum == 1000) {
            EXPECT_TRUE(pair.converged) << scale;
          }
        }
      }
    }
  }
}

struct Case {
  Matrix<double> matrix;
  long double lambda;
};

/// Vectors that underflow, quotients that overflow, elements below the normal numbers.
std::vector<Case> cases_at_the_ends_of_double() {
  constexpr double kMax = std::numeric_limits<double>::max();
  return {
      {Matrix<double>(engine(), {{1, 1}, {0, 1e-300}}), 1},  // reducible, the second one vanishes
      {Matrix<double>(engine(), {{1e-300, 0}, {1e300, 1e-300}}), 1e-300},
      {Matrix<double>(engine(), {{1e-300, 1e300}, {1e-300, 1e-300}}), 1},
      {Matrix<double>(engine(), {{0, 1e300}, {1e-300, 0}}), 1},  // periodic
      {Matrix<double>(engine(), {{0, 0x1p-1074}, {0x1p-1074, 0}}), 0x1p-1074},
      {Matrix<double>(engine(), {{0x1p-1074, 0x1p-1073}, {0x1p-1072, 0x1p-1074}}),
       (1 + std::sqrt(8.0L)) * 0x1p-1074L},
      {Matrix<double>(engine(), {{kMax / 2, kMax / 2}, {1, 1}}), kMax / 2},
      {Matrix<double>(engine(), {{kMax / 2, kMax / 2}, {kMax / 2, kMax / 2}}), kMax}};
}

void expect_to_hold(const EigenPair<double>& pair, long double lambda, const std::string& what) {
  EXPECT_LE(pair.lower, lambda * (1 + 1e-15L)) << what;
  EXPECT_GE(pair.upper, lambda * (1 - 1e-15L)) << what;
  EXPECT_LE(pair.lower, pair.value) << what;
}

TEST(ExtremesTest, IntervalsHoldAtTheEndsOfDouble) {
  for (const auto& [matrix, lambda] : cases_at_the_ends_of_double()) {
    for (const StopTest stop : kStops) {
      for (const double tolerance : {1e-6, 1e-14}) {
        for (const std::uint32_t maximum : {0u, 2u, 1000u}) {
          const std::string what = testing::PrintToString(lambda) + " in at most " +
                                   std::to_string(maximum) + " rounds, ";
          EigenOptions options{.stop = stop, .tolerance = tolerance, .max_rounds = maximum};
          for (const EigenMethod method : kMethods) {
            options.method = method;
            expect_to_hold(dominant_eigenpair(matrix, options), lambda,
                           what + std::string(to_string(method)));
          }
          options.method = EigenMethod::implicit;
          options.acceleration = Acceleration::krylov;
          expect_to_hold(dominant_eigenpair(matrix, options), lambda, what + "restarts");
        }
      }
    }
  }
}

TEST(ExtremesTest, StepsWhoseQuotientsOverflowLeaveItToImplicitRounds) {
  const Matrix<float> a(engine(), {{1e-10f, 1e-10f}, {1e30f, 1e30f}});
  for (const EigenMethod method : kMethods) {
    const auto pair = dominant_eigenpair(a, {.method = method});
    EXPECT_TRUE(pair.converged) << to_string(method);
    EXPECT_NEAR(pair.value, 1e30, 1e24) << to_string(method);
  }
}

TEST(ExtremesTest, AnIntervalWithoutEndIsNotConverged) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const auto pair = dominant_eigenpair(Matrix<double>(engine(), {{kMax}}), {.max_rounds = 0});
  EXPECT_FALSE(pair.converged);
  EXPECT_LE(pair.lower, kMax);
  EXPECT_EQ(pair.upper, std::numeric_limits<double>::infinity());
}

TEST(ExtremesTest, RowSumsThatOverflowAreAnError) {
  const Matrix<double> a(engine(), {{1.5e308, 1.5e308}, {1, 1}});
  for (const EigenMethod method : kMethods)
    EXPECT_THROW(dominant_eigenpair(a, {.method = method}), MatrixError) << to_string(method);
}

/// Row 0 adds up to the largest number and 3/4 of its last place: each addition rounds to the
/// largest number, and the exact sum to infinity.
template <class T>
Matrix<T> barely_overflowing() {
  constexpr std::size_t n = 24;
  constexpr T kMax = std::numeric_limits<T>::max();
  std::vector<T> elements(n * n, 1);
  for (std::size_t j = 0; j < n; j++) elements[j] = std::numeric_limits<T>::min();
  elements[0] = kMax;
  elements[8] = elements[16] = (kMax - std::nextafter(kMax, T(0))) * T(0.375);
  return Matrix<T>(engine(), n, n, elements);
}

TEST(ExtremesTest, RowSumsThatOverflowInTheirLastPlaceAreAnError) {
  const auto a = barely_overflowing<double>();
  for (const EigenMethod method : kMethods) {
    for (const StopTest stop : kStops) {
      EXPECT_THROW(dominant_eigenpair(a, {.method = method, .stop = stop, .tolerance = 1e-14}),
                   MatrixError)
          << to_string(method) << ", " << to_string(stop);
    }
  }
  for (const char* variant : kVariants) {
    for (const std::uint32_t maximum : {0u, 1u, 1000u}) {
      EXPECT_THROW(
          dominant_eigenpair(a, {.tolerance = 1e-14,
                                 .max_rounds = maximum,
                                 .kernels = {{"implicit_round", KernelChoice{variant, {}}}},
                                 .accumulator = Accumulator::compensated}),
          MatrixError)
          << variant;
      EXPECT_THROW(dominant_eigenpair(barely_overflowing<float>(),
                                      {.max_rounds = maximum,
                                       .kernels = {{"implicit_round", KernelChoice{variant, {}}}},
                                       .accumulator = Accumulator::two_floats}),
                   MatrixError)
          << variant;
    }
  }
}

/// The root is above the largest number: either that is an error, or there is no upper bound.
TEST(ExtremesTest, NoIntervalEndsBelowARootThatOverflows) {
  const auto a = barely_overflowing<double>();
  for (const EigenMethod method : kMethods) {
    for (const double tolerance : {1e-3, 1e-6, 1e-14}) {
      try {
        const auto pair = dominant_eigenpair(a, {.method = method, .tolerance = tolerance});
        EXPECT_EQ(pair.upper, std::numeric_limits<double>::infinity()) << to_string(method);
        EXPECT_FALSE(pair.converged) << to_string(method);
      } catch (const MatrixError& error) {
        EXPECT_NE(std::string(error.what()).find("the sum of row 0 overflows"), std::string::npos)
            << error.what();
      }
    }
  }
}

/// ||A v - value v|| / value, maximum norms, in long double, whose range products do not leave.
long double residual_of(const std::vector<double>& a, const std::vector<double>& v, double value) {
  long double largest = 0;
  for (std::size_t i = 0; i < v.size(); i++) {
    long double sum = 0;
    for (std::size_t j = 0; j < v.size(); j++)
      sum += static_cast<long double>(a[i * v.size() + j]) * static_cast<long double>(v[j]);
    largest = std::max(
        largest, std::fabs(sum - static_cast<long double>(value) * static_cast<long double>(v[i])));
  }
  return largest / static_cast<long double>(value);
}

/// Products of subnormal elements are rounded to multiples of 5e-324.
TEST(ExtremesTest, ResidualsOfSubnormalRootsCountUnderflow) {
  std::mt19937_64 random(3);
  for (const double unit : {5e-324, 1e-322, 1e-320, 1e-312}) {
    for (std::size_t n = 1; n <= 6; n++) {
      std::vector<double> elements(n * n);
      for (double& element : elements) element = static_cast<double>(1 + random() % 400) * unit;
      const auto pair = dominant_eigenpair(Matrix<double>(engine(), n, n, elements));
      const auto residual = residual_of(elements, pair.vector.to_host(), pair.value);
      EXPECT_GE(pair.residual, residual) << n << ", " << unit;
      if (pair.structure.kind != EigenStructure::Kind::unexamined) {
        EXPECT_LE(pair.residual, residual * (1 + 1e-9L) + 1e-14L) << n << ", " << unit;
      }
    }
  }
}

/// A v and value v add up to more than the largest number.
TEST(ExtremesTest, ResidualsOfRootsAtTheEndOfTheRangeAreFinite) {
  const double end = 0.9 * std::numeric_limits<double>::max();
  const std::vector<double> elements = {0, end, end / 2, 0};
  const auto pair = dominant_eigenpair(Matrix<double>(engine(), 2, 2, elements));
  EXPECT_TRUE(pair.converged);
  EXPECT_GE(pair.residual, residual_of(elements, pair.vector.to_host(), pair.value));
  EXPECT_LE(pair.residual, 1e-6);
}

/// Bipartite: the upper right quarter is `element`, the lower left one element / 64, and the root
/// rows / 16 times `element`. Too large and too dense for the host.
template <class T>
void check_large_block(T element, Acceleration acceleration) {
  constexpr std::size_t n = 1400, half = n / 2;
  std::vector<T> elements(n * n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < half; j++)
      elements[i * n + j + (i < half ? half : 0)] = i < half ? element : element / 64;
  }
  const auto pair =
      dominant_eigenpair(Matrix<T>(engine(), n, n, elements), {.acceleration = acceleration});
  const double root = static_cast<double>(n) / 16 * static_cast<double>(element);
  EXPECT_TRUE(pair.converged) << to_string(pair.reason) << ": " << pair.lower << " to "
                              << pair.upper;
  EXPECT_LE(pair.lower, root);
  EXPECT_GE(pair.upper, root);
}

TEST(ExtremesTest, LargeBlocksMayReachTheEndOfTheRange) {
  check_large_block(3e38f, Acceleration::none);
  check_large_block(0.95 / 700 * std::numeric_limits<double>::max(), Acceleration::krylov);
}

/// A component of 1e-63, which takes several steps without narrower bounds.
TEST(ExtremesTest, ComponentsMaySinkBeforeBoundsNarrow) {
  const Matrix<float> a(engine(), {{0, 1.63e-12f, 0, 0},
                                   {0, 18907692, 2.64e-30f, 0},
                                   {2.87e-30f, 0, 0, 7.23e-20f},
                                   {1920383488, 0, 0, 20755120}});
  const auto pair = dominant_eigenpair(a, {.tolerance = 1e-6});
  EXPECT_TRUE(pair.converged) << pair.lower << " to " << pair.upper;
  EXPECT_LE(pair.lower, 20755120 * (1 + 1e-15));
  EXPECT_GE(pair.upper, 20755120);
}

#if defined(__x86_64__)
/// Simulates a process that has loaded a library linked with -ffast-math.
TEST(ExtremesTest, IntervalsHoldWhereTheCallerFlushesSubnormalNumbers) {
  const std::vector<double> elements = {1e-310, 2e-310, 3e-310, 1e-310};
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  testing::internal::CaptureStderr();
  const Engine engine;
  const auto pair = dominant_eigenpair(Matrix<double>(engine, 2, 2, elements), {.tolerance = 1e-6});
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after & 0x8040, 0x8040U);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("takes subnormal numbers as 0"),
            std::string::npos);
  const double root = 1e-310 * (1 + std::sqrt(6.0));
  EXPECT_GT(pair.lower, 0.999 * root);
  EXPECT_LE(pair.lower, root);
  EXPECT_GE(pair.upper, root);
  EXPECT_TRUE(pair.converged);
}
#endif

}  // namespace
}  // namespace tessera::test
