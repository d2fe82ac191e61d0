// Plans of solves: what they name, what they run, and what they refuse.
#include <gtest/gtest.h>

#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

Matrix<float> positive(const Engine& engine, std::size_t n) {
  std::vector<float> elements(n * n);
  for (std::size_t e = 0; e < elements.size(); e++)
    elements[e] = 1 + static_cast<float>(e % 13) / 8;
  return {engine, n, n, elements};
}

void expect_same(const EigenPair<float>& one, const EigenPair<float>& other) {
  EXPECT_EQ(one.lower, other.lower);
  EXPECT_EQ(one.upper, other.upper);
  EXPECT_EQ(one.rounds, other.rounds);
  EXPECT_EQ(one.vector.to_host(), other.vector.to_host());
}

TEST(EigenPlanTest, NamesItsKernelsAndSolvesAsDominantEigenpairDoes) {
  const auto a = positive(engine(), 131);
  for (const auto method :
       {EigenMethod::implicit, EigenMethod::fused, EigenMethod::explicit_steps}) {
    const EigenOptions options{.method = method, .tolerance = 1e-9};
    const EigenPlan plan = plan_dominant_eigenpair(a, options);
    const auto pair = dominant_eigenpair(a, options);
    ASSERT_EQ(plan.kernels().size(), pair.ran.size());
    for (std::size_t i = 0; i < pair.ran.size(); i++) {
      EXPECT_EQ(plan.kernels()[i].operation(), pair.ran[i].operation());
      EXPECT_EQ(plan.kernels()[i].variant(), pair.ran[i].variant());
    }
    expect_same(plan.run(a), pair);
    expect_same(plan.run(a.transposed()), dominant_eigenpair(a.transposed(), options));
  }
}

TEST(EigenPlanTest, ThreadsRunItAtOnce) {
  const auto a = positive(engine(), 67);
  const EigenPlan plan = plan_dominant_eigenpair(a);
  const auto right = dominant_eigenpair(a);
  std::vector<EigenPair<float>> pairs(4);
  {
    std::vector<std::jthread> threads;
    for (auto& pair : pairs)
      threads.emplace_back([&] { pair = plan.run(a, {.stream = engine().new_stream()}); });
  }
  for (const auto& pair : pairs) expect_same(pair, right);
}

TEST(EigenPlanTest, RunsHaveTheirOwnProgressAndCancellation) {
  std::vector<float> elements(67 * 67, 1.0F / 67);
  for (std::size_t i = 0; i < 67; i++) elements[i * 68] += 10 + static_cast<float>(i % 2);
  const Matrix<float> a(engine(), 67, 67, elements);  // of slow rounds
  const EigenPlan plan = plan_dominant_eigenpair(a, {.acceleration = Acceleration::none});
  int calls = 0;
  plan.run(a, {.progress = [&](const EigenProgress&) { calls++; }});
  EXPECT_GT(calls, 0);
  const CancelSource source;
  source.cancel();
  EXPECT_THROW(plan.run(a, {.cancel = source.token()}), CancelledError);
  EXPECT_TRUE(plan.run(a).converged);
}

TEST(EigenPlanTest, RefusesOtherMatrices) {
  const EigenPlan plan = plan_dominant_eigenpair(positive(engine(), 67));
  EXPECT_THROW(plan.run(positive(engine(), 66)), ArgumentError);
  EXPECT_THROW(plan.run(Matrix<double>(engine(), 67, 67, std::vector<double>(67 * 67, 1))),
               ArgumentError);
  EXPECT_THROW(plan.run(Matrix<float>(engine(), 67, 66)), MatrixError);
  EXPECT_THROW(plan.run(Matrix<float>()), MatrixError);
  const Engine other;
  EXPECT_THROW(plan.run(positive(other, 67)), ArgumentError);
  auto elements = positive(engine(), 67).to_host();
  elements[3] = -1;
  EXPECT_THROW(plan.run(Matrix<float>(engine(), 67, 67, elements)), MatrixError);
  EXPECT_THROW(plan_dominant_eigenpair(positive(engine(), 67), {.tolerance = 0}), ArgumentError);
}

}  // namespace
}  // namespace tessera::test
