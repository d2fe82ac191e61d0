// Predicted ratios, on paper: at observations, between them, far from them.
#include "kernels/observations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::kernels {
namespace {

Problem square(std::size_t size) { return {.m = size, .n = size, .k = size}; }

double predicted(const std::vector<Observation>& observations, const Problem& problem) {
  return RatioModel(observations).predict(problem);
}

TEST(ObservationsTest, WhatWasSeenIsPredictedUpToNoise) {
  const std::vector seen = {observation(square(1024), 0.5), observation(square(4096), 1.2),
                            observation(square(256), 0.8)};
  for (const Observation& one : seen) {
    EXPECT_NEAR(std::log(predicted(seen, square(one.m))), std::log(one.ratio), 0.06) << one.m;
  }
  const std::vector alone = {observation(square(1024), 0.5)};
  EXPECT_NEAR(predicted(alone, square(1024)), std::pow(0.5, 1 / 1.05), 1e-12);
  // Twice each of three extents: half of three squared distances over the squared length.
  EXPECT_NEAR(predicted(alone, square(2048)), std::pow(0.5, std::exp(-1.5 / 2.25) / 1.05), 1e-12);
}

TEST(ObservationsTest, SizesSideBySideDoNotDiffer) {
  const std::vector seen = {observation(square(1024), 0.7), observation(square(2048), 1.1),
                            observation(square(1113), 0.75)};
  EXPECT_NEAR(predicted(seen, square(1000)) / predicted(seen, square(1024)), 1, 0.01);
  // Of two sizes side by side one is divided by tiles: what is around them hardly tilts.
  const std::vector split = {observation(square(1024), 0.7), observation(square(1023), 0.8)};
  EXPECT_NEAR(predicted(split, square(2048)), predicted(split, square(512)), 0.01);
}

TEST(ObservationsTest, FarAwayNothingIsKnown) {
  const std::vector seen = {observation(square(1024), 0.5), observation(square(1500), 0.4)};
  for (const Problem& far : {square(64), square(20000), Problem{.m = 1024, .n = 1024, .k = 8},
                             Problem{.m = 1024, .n = 1024, .k = 1024, .batch = 200}})
    EXPECT_NEAR(predicted(seen, far), 1, 0.02) << far.m << " x " << far.k;
  EXPECT_EQ(predicted({}, square(1024)), 1);
}

TEST(ObservationsTest, ATransposeIsAsFarAsAFactorOfTwo) {
  const std::vector seen = {observation(square(1024), 0.5)};
  Problem transposed = square(1024), half = square(1024);
  transposed.op_b = Op::transpose;
  half.n = 512;
  EXPECT_EQ(predicted(seen, transposed), predicted(seen, half));
  EXPECT_GT(predicted(seen, transposed), predicted(seen, square(1024)) + 0.02);
}

TEST(ObservationsTest, AnyNumbersGiveANumber) {
  std::vector<Observation> seen(256, observation(square(64), 1e-300));
  seen[7] = {.m = 0, .n = SIZE_MAX, .k = 1, .batch = 0, .ratio = 1e300};
  for (const Problem& problem : {square(64), square(0), square(SIZE_MAX)})
    EXPECT_GE(predicted(seen, problem), 0) << problem.m;
}

TEST(ObservationsTest, OfADefaultWithoutATimeAModestGainIsAssumed) {
  EXPECT_EQ(own_observation(square(64), 1, 4).ratio, 0.25);
  for (const auto& [seconds, default_seconds] : {std::pair(1.0, 0.0), {0.0, 1.0}, {0.0, 0.0}})
    EXPECT_EQ(own_observation(square(64), seconds, default_seconds).ratio, 0.95);
}

}  // namespace
}  // namespace tessera::kernels
