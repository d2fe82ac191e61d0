// The decisions of a solve, without a device.
#include "eigen/next_phase.hpp"

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

TEST(NextPhaseTest, AnIntervalWithinTheToleranceIsTheEnd) {
  for (const Phase last : {Phase::rounds, Phase::from_ones, Phase::tighten, Phase::row_sums}) {
    EXPECT_EQ(next_phase(last, {Halt::converged, 5}, interval(1, 1), within(1e-6), kPrecise),
              Phase::done);
  }
}

TEST(NextPhaseTest, AnIntervalNearTheToleranceIsTightenedOnce) {
  const auto options = within(1e-6);
  const Certificate near = interval(1, 1 + 3e-6), far = interval(1, 1 + 5e-6);
  const Progress converged{Halt::converged, 5};
  EXPECT_EQ(next_phase(Phase::rounds, converged, near, options, kPrecise), Phase::tighten);
  EXPECT_EQ(next_phase(Phase::from_ones, converged, near, options, kPrecise), Phase::tighten);
  EXPECT_EQ(next_phase(Phase::tighten, converged, near, options, kPrecise), Phase::done);
  EXPECT_EQ(next_phase(Phase::rounds, converged, far, options, kPrecise), Phase::done);
  EXPECT_EQ(next_phase(Phase::rounds, converged, near, options, 1e-6), Phase::done)
      << "rounding is what makes it wide";
  EXPECT_EQ(next_phase(Phase::rounds, converged, interval(1, INFINITY), options, kPrecise),
            Phase::done);
  EXPECT_EQ(next_phase(Phase::rounds, {Halt::stalled, 5}, near, options, kPrecise), Phase::done);
  EXPECT_EQ(next_phase(Phase::rounds, {Halt::converged, 100}, near, options, kPrecise),
            Phase::done);
  auto by_neighbours = options;
  by_neighbours.stop = StopTest::neighbours;
  EXPECT_EQ(next_phase(Phase::rounds, converged, near, by_neighbours, kPrecise), Phase::done);
}

TEST(NextPhaseTest, StepsThatLostAComponentStartAgainFromOnes) {
  auto options = within(1e-6);
  for (const EigenMethod method : {EigenMethod::fused, EigenMethod::explicit_steps}) {
    options.method = method;
    EXPECT_EQ(next_phase(Phase::rounds, {Halt::overflow, 5}, {}, options, kPrecise),
              Phase::from_ones);
    EXPECT_EQ(next_phase(Phase::rounds, {Halt::underflow, 5}, {}, options, kPrecise),
              Phase::row_sums);
    EXPECT_EQ(next_phase(Phase::rounds, {Halt::max_rounds, 100}, {}, options, kPrecise),
              Phase::row_sums);
  }
  options.method = EigenMethod::implicit;
  EXPECT_EQ(next_phase(Phase::rounds, {Halt::overflow, 5}, {}, options, kPrecise), Phase::row_sums);
}

/// Whatever comes of them, row sums are the last phase, and every solve comes to its end.
TEST(NextPhaseTest, EverySolveEnds) {
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
            Phase phase = next_phase(Phase::rounds, {halt, 5}, first, options, kPrecise);
            if (!first) {
              EXPECT_NE(phase, Phase::done) << "nothing is proven";
            }
            for (const auto& certificate : {second, third}) {
              if (phase != Phase::done)
                phase = next_phase(phase, {halt, 5}, certificate, options, kPrecise);
            }
            if (phase != Phase::done) {
              EXPECT_EQ(phase, Phase::row_sums);
            }
          }
        }
      }
    }
  }
}

TEST(NextPhaseTest, StepsGoOnAsImplicitRoundsForTheBounds) {
  auto options = within(1e-6);
  EXPECT_TRUE(continues_implicitly({Halt::converged, 5}, options));
  EXPECT_TRUE(continues_implicitly({Halt::stalled, 5}, options));
  EXPECT_FALSE(continues_implicitly({Halt::max_rounds, 100}, options));
  options.stop = StopTest::neighbours;
  EXPECT_FALSE(continues_implicitly({Halt::converged, 5}, options));
  EXPECT_TRUE(continues_implicitly({Halt::overflow, 5}, options));
}

TEST(NextPhaseTest, RoundsLeaveRoomForWhatRoundingAdds) {
  EXPECT_DOUBLE_EQ(tolerance_of_rounds(within(1e-6), 1e-8, true), 0.97e-6);
  EXPECT_DOUBLE_EQ(tolerance_of_rounds(within(1e-6), 1e-6, true), 0.5e-6);
  EXPECT_DOUBLE_EQ(tolerance_of_rounds(within(1e-6), 1e-8, false), 0.5e-6);
}

TEST(NextPhaseTest, ConvergedIsWhatTheCertificateSays) {
  const auto options = within(1e-6);
  EXPECT_EQ(ending(Phase::rounds, {Halt::stalled, 5}, interval(1, 1), options),
            EigenReason::converged);
  EXPECT_EQ(ending(Phase::rounds, {Halt::converged, 5}, interval(1, 2), options),
            EigenReason::stalled);
  EXPECT_EQ(ending(Phase::rounds, {Halt::converged, 5}, interval(1, INFINITY), options),
            EigenReason::stalled);
  EXPECT_EQ(ending(Phase::rounds, {Halt::converged, 100}, interval(1, 2), options),
            EigenReason::max_rounds);
  EXPECT_EQ(ending(Phase::row_sums, {Halt::underflow, 5}, interval(1, 2), options),
            EigenReason::underflow);
  EXPECT_EQ(ending(Phase::row_sums, {Halt::overflow, 5}, interval(1, 2), options),
            EigenReason::underflow);
}

TEST(NextPhaseTest, NeighboursConvergeAsRoundsButNotAsRowSums) {
  auto options = within(1e-6);
  options.stop = StopTest::neighbours;
  EXPECT_EQ(ending(Phase::rounds, {Halt::converged, 5}, interval(1, 2), options),
            EigenReason::converged);
  EXPECT_EQ(ending(Phase::row_sums, {Halt::converged, 5}, interval(1, 2), options),
            EigenReason::stalled);
  EXPECT_EQ(ending(Phase::rounds, {Halt::stalled, 5}, interval(1, 1), options),
            EigenReason::stalled);
}

}  // namespace
}  // namespace tessera::eigen
