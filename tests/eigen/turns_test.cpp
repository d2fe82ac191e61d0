// Rounds that take turns in one launch, on devices too where a solve does not use that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <tessera/tessera.hpp>
#include <vector>

#include "eigen/device_state.hpp"
#include "eigen/implicit_round.hpp"
#include "eigen/solver_kernels.hpp"
#include "kernels/planner.hpp"
#include "operands/element.hpp"
#include "runtime/submission.hpp"
#include "support/device.hpp"

namespace tessera::eigen {
namespace {

constexpr std::size_t kN = 61, kRounds = 7, kStride = 64;
constexpr cl_uint kRing = 5, kFirst = 3;

/// Everything that rounds leave behind.
struct Outcome {
  std::vector<double> vectors, s;
  DeviceReport<double> report;
};

template <class T>
void read(runtime::Submission& submission, const cl::Buffer& from, T* to, std::size_t bytes) {
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(from, CL_TRUE, 0, bytes, to, nullptr, event);
      },
      "reading");
}

template <class T>
void write(runtime::Submission& submission, const cl::Buffer& to, const T* from,
           std::size_t bytes) {
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueWriteBuffer(to, CL_TRUE, 0, bytes, from, nullptr, event);
      },
      "writing");
}

/// kRounds rounds of a random matrix from the vector of ones, so many a launch, in a ring of
/// kRing vectors.
Outcome rounds(const KernelChoice& kernel, double tolerance, std::size_t in_one_launch,
               Conclusion conclusion = Conclusion::by_last_group, const Turns& turns = {}) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<float> uniform(0.5f, 2);
  std::vector<float> elements(kN * kN);
  for (float& element : elements) element = uniform(random);
  const Matrix<float> a(test::engine(), kN, kN, elements);
  const auto& operation = implicit_round_table().operation();
  runtime::Stream& stream = runtime::stream_of(a.stream());
  const Problem problem{.operation = operation.name,
                        .types = ElementType::float32,
                        .m = kN,
                        .n = kN,
                        .mode = {.accumulator = Accumulator::float64}};
  const auto plan = kernels::plan(stream, operation, problem, kernel);
  const auto conclude = kernels::plan(stream, solver_kernels(), problem, {"conclude"});
  runtime::Submission submission(stream,
                                 {{detail::operand(a).memory.get(), runtime::Access::read}});
  const cl::Buffer vectors = submission.scratch(kRing * kStride * sizeof(double), "vectors"),
                   s = submission.scratch(kN * sizeof(double), "ratios");
  const cl::Buffer state =
      submission.scratch(sizeof(DeviceReport<double>) + kN * sizeof(Findings<double>), "a state");
  DeviceReport<double> report{};
  report.state.limits = {.tolerance = tolerance,
                         .smallest = smallest_of(Wide::one_double),
                         .by_neighbours = 0,
                         .max_rounds = 100,
                         .patience = 100,
                         .conclusion = conclusion,
                         .long_patience = 100};
  report.state.turns = turns;
  std::vector<double> ones(kRing * kStride, -1);
  const std::vector<double> nothing(kN, -1);
  std::fill_n(ones.begin() + kFirst * kStride, kN, 1);
  write(submission, state, &report, sizeof report);
  write(submission, vectors, ones.data(), ones.size() * sizeof(double));
  write(submission, s, nothing.data(), kN * sizeof(double));
  const MatrixArgument matrix = matrix_argument(detail::operand(a));
  const std::size_t groups = divide_up(kN, plan->size("MR"));
  for (std::size_t round = 0; round < kRounds; round += in_one_launch) {
    const std::size_t now = std::min(in_one_launch, kRounds - round);
    const Ring ring{kStride, kRing, static_cast<cl_uint>((kFirst + round) % kRing)};
    submission.launch(plan->kernel(), {{groups * now, 1}, {plan->size("LOCAL_SIZE"), 1}}, state,
                      cl_ulong{kN}, LocalRows{kN, 0}, *matrix.buffer, matrix.at, ring, vectors,
                      vectors, s);
    if (conclusion == Conclusion::by_launch) {
      submission.launch(conclude->kernel(), {{1, 1}, {conclude->size("LOCAL_SIZE"), 1}}, state,
                        static_cast<cl_uint>(groups), cl_ulong{kN}, ring, vectors);
    }
  }
  Outcome outcome{ones, nothing, {}};
  read(submission, vectors, outcome.vectors.data(), ones.size() * sizeof(double));
  read(submission, s, outcome.s.data(), kN * sizeof(double));
  read(submission, state, &outcome.report, sizeof outcome.report);
  submission.finish();
  return outcome;
}

void expect_same(const Outcome& one, const Outcome& other) {
  EXPECT_EQ(one.vectors, other.vectors);
  EXPECT_EQ(one.s, other.s);
  EXPECT_EQ(std::memcmp(&one.report.rounds, &other.report.rounds, sizeof one.report.rounds), 0);
  EXPECT_EQ(one.report.state.halt, other.report.state.halt);
  EXPECT_EQ(one.report.state.rounds, other.report.state.rounds);
  EXPECT_EQ(one.report.state.scale, other.report.state.scale);
}

class TurnsTest : public testing::TestWithParam<Parameters> {
 protected:
  void SetUp() override {
    const auto& device = capabilities(test::engine());
    if (!device.has_double) GTEST_SKIP() << "the device has no double";
  }
  KernelChoice kernel() const { return {"row_per_group", GetParam()}; }
};

TEST_P(TurnsTest, RoundsOfOneLaunchAreThoseOfAsManyLaunches) {
  const Outcome each = rounds(kernel(), 1e-300, 1);
  EXPECT_EQ(each.report.state.halt, Halt::none);
  EXPECT_EQ(each.report.state.rounds, kRounds);
  for (const std::size_t in_one_launch : {std::size_t{2}, std::size_t{3}, kRounds})
    expect_same(rounds(kernel(), 1e-300, in_one_launch), each);
}

TEST_P(TurnsTest, ALaunchOfItsOwnConcludesTheSame) {
  for (const double tolerance : {1e-300, 1e-3})
    expect_same(rounds(kernel(), tolerance, 1, Conclusion::by_launch),
                rounds(kernel(), tolerance, 1));
}

TEST_P(TurnsTest, RoundsAfterTheLastDoNothing) {
  const Outcome each = rounds(kernel(), 1e-3, 1);
  EXPECT_EQ(each.report.state.halt, Halt::converged);
  EXPECT_GT(each.report.state.rounds, 1u);
  EXPECT_LT(each.report.state.rounds, kRounds - 1);
  for (const std::size_t in_one_launch : {std::size_t{2}, std::size_t{3}, kRounds})
    expect_same(rounds(kernel(), 1e-3, in_one_launch), each);
}

/// Simulates a runtime that continues after the command that begins a solve has failed.
TEST_P(TurnsTest, WhatWasNotBegunEnds) {
  const Turns left_in_memory{.tickets = 1000000007, .arrived = 3, .turn = 2, .begun = 5};
  const Outcome any = rounds(kernel(), 1e-300, kRounds, Conclusion::by_last_group, left_in_memory);
  EXPECT_EQ(any.report.state.turns.begun, left_in_memory.begun);
}

INSTANTIATE_TEST_SUITE_P(RowsOfAWorkGroup, TurnsTest,
                         testing::Values(Parameters{{"MR", 1}, {"LOCAL_SIZE", 32}},
                                         Parameters{{"MR", 4}},
                                         Parameters{{"MR", 8}, {"LOCAL_SIZE", 64}}));

}  // namespace
}  // namespace tessera::eigen
