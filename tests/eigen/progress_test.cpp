// Progress of a long solve: what it reports, and how the caller ends it.
#include <gtest/gtest.h>

#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

/// It takes many rounds.
Matrix<double> slow_matrix() {
  constexpr std::size_t n = 50;
  std::vector<double> elements(n * n, 1);
  for (std::size_t i = 0; i < n; i++) elements[i * n + i] = 100 + static_cast<double>(i % 7);
  return Matrix<double>(engine(), n, n, elements);
}

constexpr EigenMethod kMethods[] = {EigenMethod::implicit, EigenMethod::fused,
                                    EigenMethod::explicit_steps};

EigenOptions slow_options(EigenMethod method) {
  return {.method = method, .tolerance = 1e-9, .acceleration = Acceleration::none};
}

/// After a solve that ended early, the engine is in order, the matrix as before, and a solve finds
/// the same pair as `alone`.
void expect_usable(const Matrix<double>& a, EigenMethod method, const EigenPair<double>& alone) {
  EXPECT_NO_THROW(engine().finish());
  const auto again = dominant_eigenpair(a, slow_options(method));
  EXPECT_EQ(again.lower, alone.lower) << to_string(method);
  EXPECT_EQ(again.upper, alone.upper) << to_string(method);
  EXPECT_EQ(a.to_host(), slow_matrix().to_host());
}

/// Bounds of earlier vectors hold the root too, and only get narrower without restarts.
TEST(EigenProgressTest, TellsHowFarItHasCome) {
  const Matrix<double> a = slow_matrix();
  std::vector<EigenProgress> told;
  EigenOptions options{.tolerance = 1e-9, .acceleration = Acceleration::none};
  options.progress = [&](const EigenProgress& progress) { told.push_back(progress); };
  const auto pair = dominant_eigenpair(a, options);
  ASSERT_GE(told.size(), 2u) << "too easy";
  for (std::size_t i = 0; i < told.size(); i++) {
    EXPECT_EQ(told[i].phase, "implicit rounds");
    EXPECT_LT(told[i].iterations, pair.rounds);
    EXPECT_LE(told[i].lower, pair.lower * (1 + 1e-12));
    EXPECT_GE(told[i].upper, pair.upper * (1 - 1e-12));
    if (i > 0) {
      EXPECT_GT(told[i].iterations, told[i - 1].iterations);
    }
  }
  const auto silent =
      dominant_eigenpair(a, {.tolerance = 1e-9, .acceleration = Acceleration::none});
  EXPECT_EQ(silent.lower, pair.lower);
  EXPECT_EQ(silent.upper, pair.upper);
  EXPECT_EQ(silent.rounds, pair.rounds);
}

/// What `progress` throws ends the solve, and nothing else.
TEST(EigenProgressTest, AnExceptionEndsTheSolve) {
  struct Cancelled {};
  const Matrix<double> a = slow_matrix();
  for (const EigenMethod method : kMethods) {
    EigenOptions cancelled = slow_options(method);
    const auto alone = dominant_eigenpair(a, cancelled);
    ASSERT_TRUE(alone.converged);
    int calls = 0;
    cancelled.progress = [&](const EigenProgress&) {
      if (++calls == 2) throw Cancelled();
    };
    EXPECT_THROW(dominant_eigenpair(a, cancelled), Cancelled) << to_string(method);
    EXPECT_EQ(calls, 2);
    expect_usable(a, method, alone);
  }
}

/// The batch that is in flight is the last one, and everything can be used afterwards.
TEST(EigenProgressTest, ACancelledSolveEndsAfterTheBatch) {
  const Matrix<double> a = slow_matrix();
  for (const EigenMethod method : kMethods) {
    EigenOptions cancelled = slow_options(method);
    const auto alone = dominant_eigenpair(a, cancelled);
    ASSERT_TRUE(alone.converged);
    const CancelSource source;
    cancelled.cancel = source.token();
    const auto not_cancelled = dominant_eigenpair(a, cancelled);
    EXPECT_EQ(not_cancelled.rounds, alone.rounds) << to_string(method);
    int calls = 0;
    cancelled.progress = [&](const EigenProgress&) {
      if (++calls == 2) std::thread([&] { source.cancel(); }).join();
    };
    EXPECT_THROW(dominant_eigenpair(a, cancelled), CancelledError) << to_string(method);
    EXPECT_EQ(calls, 2);
    EXPECT_THROW(dominant_eigenpair(a, cancelled), CancelledError) << to_string(method);
    EXPECT_EQ(calls, 2) << "a cancelled solve does not begin";
    expect_usable(a, method, alone);
  }
}

TEST(EigenProgressTest, CancellingEndsTheSolveBetweenBlocks) {
  // A cycle of three rows, and one of two.
  const Matrix<double> a(engine(), 5, 5, std::vector<double>{0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0,
                                                             0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0});
  EXPECT_EQ(dominant_eigenpair(a).structure.classes, 2u);
  const CancelSource source;
  EigenOptions options{.cancel = source.token()};
  int blocks = 0;
  options.progress = [&](const EigenProgress& progress) {
    if (progress.phase != "irreducible blocks") return;
    blocks++;
    source.cancel();
  };
  EXPECT_THROW(dominant_eigenpair(a, options), CancelledError);
  EXPECT_EQ(blocks, 1);
}

TEST(EigenProgressTest, CopiesOfASourceShareItsFlag) {
  const CancelSource source;
  CancelSource copy = source;
  const CancelToken token = copy.token(), none;
  copy = CancelSource();
  EXPECT_FALSE(token.cancelled());
  source.cancel();
  EXPECT_TRUE(token.cancelled());
  EXPECT_TRUE(source.cancelled());
  EXPECT_FALSE(copy.cancelled());
  EXPECT_FALSE(none.cancelled());
}

}  // namespace
}  // namespace tessera::test
