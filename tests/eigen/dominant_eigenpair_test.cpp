// dominant_eigenpair: the document's results, every method and step, and input of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "eigen/solver_plans.hpp"
#include "support/device.hpp"

namespace tessera::test {
namespace {

constexpr std::array kMethods = {EigenMethod::implicit, EigenMethod::fused,
                                 EigenMethod::explicit_steps};

Matrix<float> hilbert(std::size_t n) {
  std::vector<float> elements(n * n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++) elements[i * n + j] = 1.0f / static_cast<float>(i + j + 1);
  }
  return Matrix<float>(engine(), n, n, elements);
}

Matrix<double> document_matrix() {
  return Matrix<double>(engine(), {{1, 1, 2}, {2, 1, 3}, {2, 3, 5}});
}

std::string message_of(const auto& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(DominantEigenpairTest, FindsTheDocumentsPair) {
  const auto a = document_matrix();
  for (const EigenMethod method : kMethods) {
    const auto pair = dominant_eigenpair(a, {.method = method, .tolerance = 1e-12});
    EXPECT_NEAR(pair.value, 7.531129, 1e-6) << to_string(method);
    EXPECT_LE(pair.upper - pair.lower, 1e-12 * pair.upper) << to_string(method);
    EXPECT_LE(pair.residual, 1.5e-7) << to_string(method) << ": the vector is rounded to float";
    const auto vector = pair.vector.to_host();
    EXPECT_NEAR(vector.at(0), 0.394074 / 0.997451, 1e-6) << to_string(method);
    EXPECT_NEAR(vector.at(1), 0.578844 / 0.997451, 1e-6) << to_string(method);
    EXPECT_EQ(vector.at(2), 1) << to_string(method);
    EXPECT_TRUE(pair.converged);
    EXPECT_EQ(pair.reason, EigenReason::converged);
  }
}

/// The rounds that the document publishes; "Optimizing Parallel Similarity Transformation", 2021.
TEST(DominantEigenpairTest, TakesTheDocumentsRounds) {
  const std::vector<std::pair<std::size_t, std::uint64_t>> published = {
      {128, 9}, {256, 10}, {512, 12}, {1024, 13}, {2048, 14}};
  for (const auto& [n, rounds] : published) {
    const auto a = hilbert(n);
    for (const EigenMethod method : kMethods) {
      if (n > 1024 && method != EigenMethod::implicit) continue;
      const auto pair = dominant_eigenpair(a, {.method = method, .stop = StopTest::neighbours});
      EXPECT_EQ(pair.rounds, rounds) << n << ", " << to_string(method);
      EXPECT_TRUE(pair.converged);
      EXPECT_LE(pair.lower, pair.value);
      EXPECT_LE(pair.value, pair.upper);
    }
  }
}

TEST(DominantEigenpairTest, TakesTheSameRoundsByEveryVariantOfEveryStep) {
  const auto a = hilbert(128);
  for (const std::string& name : eigen::solver_operations()) {
    const OperationInfo& operation = info_of(name);
    const EigenMethod method = operation.name == "implicit_round" ? EigenMethod::implicit
                               : operation.name == "fused_round"  ? EigenMethod::fused
                                                                  : EigenMethod::explicit_steps;
    for (const VariantInfo& variant : operation.variants) {
      if (!variant.runs_on(engine(), ElementType::float32)) continue;
      const auto pair =
          dominant_eigenpair(a, {.method = method,
                                 .stop = StopTest::neighbours,
                                 .kernels = {{operation.name, KernelChoice{variant.name(), {}}}}});
      EXPECT_EQ(pair.rounds, 9u) << operation.name << "/" << variant.name();
      const auto ran = std::ranges::find(pair.ran, operation.name, &KernelRun::operation);
      ASSERT_NE(ran, pair.ran.end()) << operation.name;
      EXPECT_EQ(ran->variant(), variant.name());
    }
  }
}

TEST(DominantEigenpairTest, TheTimeIsTheSolvesAndNoOperations) {
  const Engine profiled(EngineOptions{.device = engine().device().selector, .profiling = true});
  const Matrix<float> a(profiled, {{1, 1, 2}, {2, 1, 3}, {2, 3, 5}});
  for (const EigenMethod method : kMethods) {
    const auto pair = dominant_eigenpair(a, {.method = method});
    EXPECT_GT(pair.seconds().value_or(0), 0) << to_string(method);
    EXPECT_TRUE(pair.started.complete() && pair.finished.complete());
    for (const KernelRun& run : pair.ran)
      EXPECT_FALSE(run.seconds().has_value()) << run.operation();
  }
  EXPECT_FALSE(dominant_eigenpair(document_matrix()).seconds().has_value());
}

TEST(DominantEigenpairTest, FloatMatricesReachNarrowIntervals) {
  const auto a = hilbert(300);
  for (const EigenMethod method : kMethods) {
    const auto pair = dominant_eigenpair(a, {.method = method, .tolerance = 1e-12});
    EXPECT_TRUE(pair.converged) << to_string(method) << " ended as " << to_string(pair.reason);
    EXPECT_LE(pair.upper - pair.lower, 1e-12 * pair.upper);
  }
}

TEST(DominantEigenpairTest, TwoFloatsDoWhereThereIsNoDouble) {
  const auto a = hilbert(200);
  const auto exact = dominant_eigenpair(a, {.tolerance = 1e-13});
  for (const char* variant : {"row_per_item", "row_per_group"}) {
    const auto pair =
        dominant_eigenpair(a, {.tolerance = 1e-9,
                               .kernels = {{"implicit_round", KernelChoice{variant, {}}}},
                               .accumulator = Accumulator::two_floats});
    EXPECT_TRUE(pair.converged) << variant;
    EXPECT_LE(pair.lower, exact.upper);
    EXPECT_LE(exact.lower, pair.upper);
    EXPECT_LE(pair.upper - pair.lower, 1e-9 * pair.upper);
  }
}

TEST(DominantEigenpairTest, TheLargestComponentIsOne) {
  const Matrix<float> a(engine(), {{1, 1, 2}, {2, 1, 3}, {2, 3, 5}});
  for (const EigenMethod method : kMethods) {
    for (const auto accumulator : {Accumulator::two_floats, Accumulator::float64}) {
      for (const std::uint32_t rounds : {1, 2, 3, 5}) {
        const auto pair = dominant_eigenpair(
            a, {.method = method, .max_rounds = rounds, .accumulator = accumulator});
        EXPECT_EQ(pair.vector.to_host().at(2), 1)
            << to_string(method) << ", " << rounds << " rounds";
      }
    }
  }
}

TEST(DominantEigenpairTest, LeavesTheMatrixAndTakesABlock) {
  std::vector<float> elements(50 * 60);
  for (std::size_t i = 0; i < elements.size(); i++)
    elements[i] = static_cast<float>(i * 7919 % 101 + 1);
  Matrix<float> whole(engine(), 50, 60, elements);
  const auto block = whole.block(3, 5, 40, 40);
  const Matrix<float> copy(block);
  for (const EigenMethod method : kMethods) {
    const auto pair = dominant_eigenpair(block, {.method = method});
    const auto alone = dominant_eigenpair(copy, {.method = method});
    EXPECT_EQ(pair.value, alone.value) << to_string(method);
    EXPECT_TRUE(pair.converged);
    EXPECT_EQ(whole.to_host(), elements) << to_string(method);
  }
}

TEST(DominantEigenpairTest, TwoSolvesGiveTheSameBits) {
  const auto a = hilbert(333);
  for (const EigenMethod method : kMethods) {
    const EigenOptions options{.method = method, .tolerance = 1e-9, .history = true};
    const auto one = dominant_eigenpair(a, options), two = dominant_eigenpair(a, options);
    EXPECT_EQ(std::memcmp(&one.lower, &two.lower, sizeof one.lower), 0);
    EXPECT_EQ(std::memcmp(&one.upper, &two.upper, sizeof one.upper), 0);
    EXPECT_EQ(one.vector.to_host(), two.vector.to_host());
    ASSERT_EQ(one.history.size(), two.history.size());
    for (std::size_t i = 0; i < one.history.size(); i++)
      EXPECT_EQ(one.history[i].lower, two.history[i].lower);
  }
}

TEST(DominantEigenpairTest, HistoryHasTheBoundsOfEveryRoundEverCloser) {
  const Matrix<float> a(engine(), {{1.2f, 0.1f}, {0.2f, 1}});
  for (const EigenMethod method : kMethods) {
    const auto pair = dominant_eigenpair(a, {.method = method, .tolerance = 1e-5, .history = true});
    ASSERT_EQ(pair.history.size(), pair.rounds + 1) << to_string(method);
    EXPECT_GT(pair.rounds, 16u) << "one batch alone";
    for (std::size_t i = 1; i < pair.history.size(); i++) {
      EXPECT_GE(pair.history[i].lower, pair.history[i - 1].lower * (1 - 1e-5));
      EXPECT_LE(pair.history[i].upper, pair.history[i - 1].upper * (1 + 1e-5));
    }
    EXPECT_TRUE(dominant_eigenpair(a, {.method = method}).history.empty());
  }
}

TEST(DominantEigenpairTest, MaxRoundsEndsWithTheBoundsSoFar) {
  const auto a = document_matrix();
  for (const EigenMethod method : kMethods) {
    for (const std::uint32_t maximum : {0u, 1u, 3u}) {
      const auto pair = dominant_eigenpair(
          a, {.method = method, .tolerance = 1e-15, .max_rounds = maximum, .history = true});
      EXPECT_EQ(pair.rounds, maximum) << to_string(method);
      EXPECT_FALSE(pair.converged);
      EXPECT_EQ(pair.reason, EigenReason::max_rounds);
      EXPECT_LE(pair.lower, 7.531128874150);
      EXPECT_GE(pair.upper, 7.531128874149);
      EXPECT_EQ(pair.history.size(), maximum + 1);
    }
  }
}

/// In float the second component is gone after some twenty rounds.
TEST(DominantEigenpairTest, AVectorThatLostAComponentProvesNothing) {
  const Matrix<float> a(engine(), {{1, 1}, {0, 0.01f}});
  for (const EigenMethod method : {EigenMethod::fused, EigenMethod::explicit_steps}) {
    const auto pair = dominant_eigenpair(a, {.method = method, .max_rounds = 30});
    EXPECT_LE(pair.lower, 1) << to_string(method);
    EXPECT_GE(pair.upper, 1) << to_string(method);
    for (const float component : pair.vector.to_host())
      EXPECT_GE(component, 0) << to_string(method);
  }
}

TEST(DominantEigenpairTest, NamesTheFirstOffence) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  struct Case {
    Matrix<float> matrix;
    const char* cause;
  };
  const std::vector<Case> cases = {
      {Matrix<float>(engine(), {{1, 2}, {3, -4}}), "element (1, 1) is -4"},
      {Matrix<float>(engine(), {{1, kNaN}, {-3, 4}}), "element (0, 1) is nan"},
      {Matrix<float>(engine(), {{1, 2}, {kInfinity, -4}}), "element (1, 0) is inf"},
      {Matrix<float>(engine(), {{0, 0}, {-1, 0}}), "element (1, 0) is -1"},
      {Matrix<float>(engine(), {{0, 1}, {-1, 0}}), "element (1, 0) is -1"},
      {Matrix<float>(engine(), {{1, 2, 3}}), "a is 1 x 3, it must be square"},
      {Matrix<float>(engine(), 0, 0), "a is 0 x 0, it must be square and not empty"}};
  for (const auto& [matrix, cause] : cases) {
    for (const EigenMethod method : kMethods) {
      EXPECT_THROW(dominant_eigenpair(matrix, {.method = method}), MatrixError);
      const auto message = message_of([&] { dominant_eigenpair(matrix, {.method = method}); });
      EXPECT_NE(message.find(cause), std::string::npos) << message;
    }
  }
  const Matrix<float> minus_zero(engine(), {{-0.0f, 1}, {1, 1}});
  EXPECT_TRUE(dominant_eigenpair(minus_zero).converged);
}

TEST(DominantEigenpairTest, RefusesTolerancesThatAreNone) {
  const auto a = document_matrix();
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(dominant_eigenpair(a, {.tolerance = bad}), ArgumentError) << bad;
    EXPECT_THROW(dominant_eigenpair(a, {.neighbour_tolerance = bad}), ArgumentError) << bad;
  }
  const EigenOptions tiny{.stop = StopTest::neighbours, .neighbour_tolerance = 1e-60};
  EXPECT_THROW(dominant_eigenpair(Matrix<float>(engine(), {{1, 2}, {3, 4}}), tiny), ArgumentError);
  EXPECT_NO_THROW(dominant_eigenpair(Matrix<double>(engine(), {{2, 2}, {2, 2}}), tiny));
  EXPECT_THROW(dominant_eigenpair(a, {.kernels = {{"row_summ", {}}}}), ArgumentError);
  for (const KernelChoice& bad :
       {KernelChoice{"fast", {}}, KernelChoice{"row_per_group", {{"VALIDATE", 1}}}}) {
    EXPECT_THROW(dominant_eigenpair(a, {.kernels = {{"implicit_round", bad}}}), ArgumentError);
  }
}

}  // namespace
}  // namespace tessera::test
