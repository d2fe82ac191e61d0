// Plans report their needs, run any operands of the planned types and shapes, and refuse others.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"

namespace tessera::test {
namespace {

Matrix<float> ones(std::size_t rows, std::size_t columns, float value = 1) {
  return Matrix<float>(engine(), rows, columns, std::vector<float>(rows * columns, value));
}

TEST(PlanTest, RunsWhatTheOperationRuns) {
  const auto a = ones(70, 30), b = ones(50, 30, 2);
  Matrix<float> c(engine(), 70, 50);
  const Plan plan = plan_multiply(c, a, b.transposed());
  const KernelRun ran = multiply_into(c, a, b.transposed());
  EXPECT_EQ(plan.variant(), ran.variant());
  EXPECT_EQ(plan.parameters(), ran.parameters());
  EXPECT_EQ(plan.reason(), ran.reason());
  EXPECT_EQ(describe(plan.problem()), "multiply float 70 x 50 x 30, b transposed");
  c.upload(std::vector<float>(70 * 50, 100));
  plan.run(c, a, b.transposed(), {.alpha = 0.5, .beta = 2});
  EXPECT_EQ(c.to_host(), std::vector<float>(70 * 50, 230));
}

TEST(PlanTest, TakesOperandsWhereverTheyAre) {
  const auto a = ones(8, 6), b = ones(6, 4);
  Matrix<float> c(engine(), 8, 4), large(engine(), 20, 20);
  const Plan plan = plan_multiply(c, a, b);
  fill(large, 3);
  plan.run(large.block(5, 7, 8, 4), a, b, {.beta = 1});
  EXPECT_EQ(large.block(5, 7, 8, 4).to_host(), std::vector<float>(32, 9));
  EXPECT_EQ(large.block(5, 6, 8, 1).to_host(), std::vector<float>(8, 3));
}

TEST(PlanTest, AnAlphaOf0ReadsNoOperand) {
  const auto nan = ones(5, 5, std::numeric_limits<float>::quiet_NaN());
  auto c = ones(5, 5);
  plan_multiply(c, nan, nan).run(c, nan, nan, {.alpha = 0, .beta = 3});
  EXPECT_EQ(c.to_host(), std::vector<float>(25, 3));
}

TEST(PlanTest, RefusesOtherOperands) {
  const auto a = ones(8, 6), b = ones(6, 4);
  Matrix<float> c(engine(), 8, 4);
  const Plan plan = plan_multiply(c, a, b);
  const auto refused = [&](auto&&... operands) {
    return message_of([&] { plan.run(operands...); });
  };
  Matrix<float> tall(engine(), 9, 4);
  EXPECT_EQ(
      refused(tall, ones(9, 6), b),
      "Plan::run: the operands need a plan for multiply float 9 x 4 x 6; this one is for multiply "
      "float 8 x 4 x 6");
  EXPECT_EQ(
      refused(c, ones(6, 8).transposed(), b),
      "Plan::run: the operands need a plan for multiply float 8 x 4 x 6, a transposed; this one "
      "is for multiply float 8 x 4 x 6");
  const auto x = ones(6, 1);
  const Plan for_vectors = plan_multiply(c.block(0, 0, 8, 1), a, x);
  EXPECT_EQ(message_of([&] { for_vectors.run(c, a, b); }),
            "Plan::run: the operands need a plan for multiply float 8 x 4 x 6; this one is for "
            "matrix_vector float 8 x 6");
  EXPECT_EQ(refused(c.block(0, 0, 8, 1), a, x),
            "Plan::run: the operands need a plan for multiply float 8 x 1 x 6; this one is for "
            "multiply float 8 x 4 x 6");
  const Matrix<half> halves(engine(), 8, 6);
  EXPECT_THROW(plan.run(c, halves, Matrix<half>(engine(), 6, 4)), ArgumentError);
  EXPECT_THROW(plan.run(c, a, a), MatrixError);
  EXPECT_THROW(plan.run(c, c.block(0, 0, 8, 4), ones(4, 4)), Error);
  const Engine other(engine().device().selector);
  const Matrix<float> there(other.stream(), 8, 6), there_too(other.stream(), 6, 4);
  Matrix<float> result_there(other.stream(), 8, 4);
  EXPECT_THROW(plan.run(result_there, there, there_too), ArgumentError);
}

TEST(PlanTest, ANamedKernelThatCannotRunIsRefusedAtOnce) {
  const auto a = ones(8, 6), b = ones(6, 4);
  Matrix<float> c(engine(), 8, 4);
  EXPECT_THROW(plan_multiply(c, a, b, {.kernel = {"fastest"}}), ArgumentError);
  EXPECT_EQ(plan_multiply(c, a, b, {.kernel = {"naive"}}).variant(), "naive");
}

TEST(PlanTest, ServesBatchesAndVectors) {
  const auto a = ones(12, 5), b = ones(15, 2, 2);
  Matrix<float> c(engine(), 12, 2);
  const auto in_c = batch_of(c, 3);
  const Plan batch = plan_multiply_batched(in_c, batch_of(a, 3), batch_of(b, 3));
  EXPECT_EQ(batch.problem().batch, 3U);
  batch.run(in_c, batch_of(a, 3), batch_of(b, 3));
  EXPECT_EQ(c.to_host(), std::vector<float>(24, 10));

  const auto x = ones(5, 1, 3);
  Matrix<float> y(engine(), 12, 1);
  for (const Plan& plan : {plan_matrix_vector(y, a, x), plan_multiply(y, a, x)}) {
    EXPECT_EQ(plan.problem().operation, "matrix_vector");
    fill(y, 0);
    plan.run(y, a, x);
    EXPECT_EQ(y.to_host(), std::vector<float>(12, 15));
  }
}

TEST(PlanTest, AnEmptyProductNeedsNoKernel) {
  const Matrix<float> a(engine(), 0, 3), b(engine(), 3, 4);
  Matrix<float> c(engine(), 0, 4);
  const Plan plan = plan_multiply(c, a, b);
  EXPECT_EQ(plan.variant(), "");
  EXPECT_EQ(plan.scratch_bytes(), 0U);
  plan.run(c, a, b).finished.wait();
}

TEST(PlanTest, TellsItsScratchMemory) {
  // More than a block of each operand, which `packed` copies, and `image` copies to images.
  const auto a = ones(300, 200), b = ones(200, 100);
  Matrix<float> c(engine(), 300, 100);
  EXPECT_EQ(plan_multiply(c, a, b, {.kernel = {"naive"}}).scratch_bytes(), 0U);
  const Engine fresh(engine().device().selector);
  const Matrix<float> fresh_a(fresh.stream(), 300, 200), fresh_b(fresh.stream(), 200, 100);
  Matrix<float> fresh_c(fresh.stream(), 300, 100);
  const Plan plan = plan_multiply(fresh_c, fresh_a, fresh_b, {.kernel = {"packed"}});
  EXPECT_EQ(fresh.memory().scratch, 0U) << "a plan allocates nothing";
  plan.run(fresh_c, fresh_a, fresh_b).finished.wait();
  EXPECT_GT(plan.scratch_bytes(), 0U);
  EXPECT_GE(fresh.memory().scratch, plan.scratch_bytes());
}

TEST(PlanTest, ExpectsLongerForMore) {
  const auto seconds = [](std::size_t n) {
    const Matrix<float> a(engine(), n, n), b(engine(), n, n);
    Matrix<float> c(engine(), n, n);
    return plan_multiply(c, a, b).expected_seconds();
  };
  const auto small = seconds(256), large = seconds(1024);
  if (!small || !large) GTEST_SKIP() << "no model of this device's time";
  EXPECT_GT(*small, 0);
  EXPECT_GT(*large, *small);
}

TEST(PlanTest, ThreadsShareAPlan) {
  const auto a = ones(64, 64), b = ones(64, 64);
  const Plan plan = [&] {
    Matrix<float> output(engine(), 64, 64);
    return plan_multiply(output, a, b);
  }();
  std::vector<std::vector<float>> results(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : results) {
      threads.emplace_back([&] {
        const Stream own = engine().new_stream();
        Matrix<float> output(own, 64, 64);
        for (int i = 0; i < 20; i++) plan.run(output, a, b, {.stream = own});
        result = output.to_host();
      });
    }
  }
  for (const auto& result : results) EXPECT_EQ(result, std::vector<float>(64 * 64, 64));
}

TEST(PlanTest, OutlivesItsEngine) {
  const auto plan = [] {
    const Engine own(engine().device().selector);
    const Matrix<float> a(own.stream(), 4, 4), b(own.stream(), 4, 4);
    Matrix<float> c(own.stream(), 4, 4);
    return plan_multiply(c, a, b);
  }();
  EXPECT_FALSE(plan.variant().empty());
}

}  // namespace
}  // namespace tessera::test
