// The decisions of a solve, without a device.
#include "eigen/next_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tessera::eigen {
namespace {

constexpr double kPrecise = 1e-13;

Certificate interval(double lower, double upper) {
  return {.lower = lower, .upper = upper, .value = lower, .residual = 0, .largest = 1};
}

EigenOptions within(double tolerance) { return {.tolerance = tolerance, .max_rounds = 100}; }

TEST(NextStepTest, AnIntervalWithinTheToleranceIsTheEnd) {
  for (const Step last : {Step::rounds, Step::from_ones, Step::tighten, Step::row_sums}) {
    EXPECT_EQ(next_step(last, {Halt::converged, 5}, interval(1, 1), within(1e-6), kPrecise),
              Step::done);
  }
}

TEST(NextStepTest, AnIntervalNearTheToleranceIsTightenedOnce) {
  const auto options = within(1e-6);
  const Certificate near = interval(1, 1 + 3e-6), far = interval(1, 1 + 5e-6);
  const Progress converged{Halt::converged, 5};
  EXPECT_EQ(next_step(Step::rounds, converged, near, options, kPrecise), Step::tighten);
  EXPECT_EQ(next_step(Step::from_ones, converged, near, options, kPrecise), Step::tighten);
  EXPECT_EQ(next_step(Step::tighten, converged, near, options, kPrecise), Step::done);
  EXPECT_EQ(next_step(Step::rounds, converged, far, options, kPrecise), Step::done);
  EXPECT_EQ(next_step(Step::rounds, converged, near, options, 1e-6), Step::done)
      << "rounding is what makes it wide";
  EXPECT_EQ(next_step(Step::rounds, converged, interval(1, INFINITY), options, kPrecise),
            Step::done);
  EXPECT_EQ(next_step(Step::rounds, {Halt::stalled, 5}, near, options, kPrecise), Step::done);
  EXPECT_EQ(next_step(Step::rounds, {Halt::converged, 100}, near, options, kPrecise), Step::done);
  auto by_neighbours = options;
  by_neighbours.stop = StopTest::neighbours;
  EXPECT_EQ(next_step(Step::rounds, converged, near, by_neighbours, kPrecise), Step::done);
}

TEST(NextStepTest, StepsThatLostAComponentStartAgainFromOnes) {
  auto options = within(1e-6);
  for (const EigenMethod method : {EigenMethod::fused, EigenMethod::explicit_steps}) {
    options.method = method;
    EXPECT_EQ(next_step(Step::rounds, {Halt::overflow, 5}, {}, options, kPrecise), Step::from_ones);
    EXPECT_EQ(next_step(Step::rounds, {Halt::underflow, 5}, {}, options, kPrecise), Step::row_sums);
    EXPECT_EQ(next_step(Step::rounds, {Halt::max_rounds, 100}, {}, options, kPrecise),
              Step::row_sums);
  }
  options.method = EigenMethod::implicit;
  EXPECT_EQ(next_step(Step::rounds, {Halt::overflow, 5}, {}, options, kPrecise), Step::row_sums);
}

/// Whatever comes of them, row sums are the last step, and every solve comes to its end.
TEST(NextStepTest, EverySolveEnds) {
  const std::vector<std::optional<Certificate>> certificates = {
      {}, interval(1, 1), interval(1, 1 + 3e-6), interval(1, 2), interval(1, INFINITY)};
  for (const EigenMethod method : {EigenMethod::implicit, EigenMethod::fused}) {
    auto options = within(1e-6);
    options.method = method;
    for (const Halt halt :
         {Halt::converged, Halt::max_rounds, Halt::stalled, Halt::underflow, Halt::overflow}) {
      for (const auto& first : certificates) {
        for (const auto& second : certificates) {
          for (const auto& third : certificates) {
            Step step = next_step(Step::rounds, {halt, 5}, first, options, kPrecise);
            if (!first) {
              EXPECT_NE(step, Step::done) << "nothing is proven";
            }
            for (const auto& certificate : {second, third}) {
              if (step != Step::done)
                step = next_step(step, {halt, 5}, certificate, options, kPrecise);
            }
            if (step != Step::done) {
              EXPECT_EQ(step, Step::row_sums);
            }
          }
        }
      }
    }
  }
}

TEST(NextStepTest, StepsGoOnAsImplicitRoundsForTheBounds) {
  auto options = within(1e-6);
  EXPECT_TRUE(continues_implicitly({Halt::converged, 5}, options));
  EXPECT_TRUE(continues_implicitly({Halt::stalled, 5}, options));
  EXPECT_FALSE(continues_implicitly({Halt::max_rounds, 100}, options));
  options.stop = StopTest::neighbours;
  EXPECT_FALSE(continues_implicitly({Halt::converged, 5}, options));
  EXPECT_TRUE(continues_implicitly({Halt::overflow, 5}, options));
}

TEST(NextStepTest, RoundsLeaveRoomForWhatRoundingAdds) {
  EXPECT_DOUBLE_EQ(tolerance_of_rounds(within(1e-6), 1e-8, true), 0.97e-6);
  EXPECT_DOUBLE_EQ(tolerance_of_rounds(within(1e-6), 1e-6, true), 0.5e-6);
  EXPECT_DOUBLE_EQ(tolerance_of_rounds(within(1e-6), 1e-8, false), 0.5e-6);
}

TEST(NextStepTest, ConvergedIsWhatTheCertificateSays) {
  const auto options = within(1e-6);
  EXPECT_EQ(ending(Step::rounds, {Halt::stalled, 5}, interval(1, 1), options),
            EigenReason::converged);
  EXPECT_EQ(ending(Step::rounds, {Halt::converged, 5}, interval(1, 2), options),
            EigenReason::stalled);
  EXPECT_EQ(ending(Step::rounds, {Halt::converged, 5}, interval(1, INFINITY), options),
            EigenReason::stalled);
  EXPECT_EQ(ending(Step::rounds, {Halt::converged, 100}, interval(1, 2), options),
            EigenReason::max_rounds);
  EXPECT_EQ(ending(Step::row_sums, {Halt::underflow, 5}, interval(1, 2), options),
            EigenReason::underflow);
  EXPECT_EQ(ending(Step::row_sums, {Halt::overflow, 5}, interval(1, 2), options),
            EigenReason::underflow);
}

TEST(NextStepTest, NeighboursConvergeAsRoundsButNotAsRowSums) {
  auto options = within(1e-6);
  options.stop = StopTest::neighbours;
  EXPECT_EQ(ending(Step::rounds, {Halt::converged, 5}, interval(1, 2), options),
            EigenReason::converged);
  EXPECT_EQ(ending(Step::row_sums, {Halt::converged, 5}, interval(1, 2), options),
            EigenReason::stalled);
  EXPECT_EQ(ending(Step::rounds, {Halt::stalled, 5}, interval(1, 1), options),
            EigenReason::stalled);
}

}  // namespace
}  // namespace tessera::eigen
