// Restarts: when they pay, computed without a device.
#include "eigen/closing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tessera::eigen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bounds around 1 whose width is multiplied by `factor` each round.
std::vector<EigenBounds> bounds(std::size_t rounds, double width, double factor) {
  std::vector<EigenBounds> result;
  for (; result.size() < rounds; width *= factor) result.push_back({1 - width, 1});
  return result;
}

/// Costs for which a restart takes as long as so many rounds.
Costs costing(double rounds) { return {.round = 1, .restart = rounds, .host = 1e6}; }

Closing closing(double width, double factor) { return {width, 1e-6, factor}; }

TEST(ClosingTest, TheRateIsThatOfTheLastRounds) {
  auto history = bounds(20, 1, 0.1);
  for (const auto& later : bounds(16, 1e-2, 0.9)) history.push_back(later);
  const auto [width, goal, factor] = closing_of(history, 1e-6);
  EXPECT_NEAR(width, 1e-2 * std::pow(0.9, 15), 1e-12);
  EXPECT_DOUBLE_EQ(goal, 1e-6);
  EXPECT_NEAR(factor, 0.9, 1e-6);
}

TEST(ClosingTest, WidthsThatOscillateAreJudgedByTheirTrend) {
  auto history = bounds(16, 0.5, 0.5);
  for (std::size_t i = 0; i < history.size(); i += 2)
    history[i].lower -= 2 * (1 - history[i].lower);
  EXPECT_NEAR(closing_of(history, 1e-9).factor, 0.5, 1e-6);
}

TEST(ClosingTest, BoundsThatDoNotCloseHaveNoEnd) {
  const auto history = bounds(16, 0.5, 1);
  EXPECT_EQ(closing_of(history, 1e-6).factor, 1);
  EXPECT_EQ(rounds_left(closing_of(history, 1e-6)), kInfinity);
  EXPECT_TRUE(restarts_pay(closing_of(history, 1e-6), costing(1e6)));
}

TEST(ClosingTest, AFewRoundsSayNothing) {
  for (std::size_t rounds = 0; rounds <= 8; rounds++)
    EXPECT_FALSE(restarts_pay(closing_of(bounds(rounds, 0.5, 1), 1e-6), costing(0))) << rounds;
  EXPECT_TRUE(restarts_pay(closing_of(bounds(9, 0.5, 1), 1e-6), costing(0)));
}

TEST(ClosingTest, InfiniteBoundsSayNothing) {
  const std::vector<EigenBounds> history(16, {1, kInfinity});
  EXPECT_FALSE(restarts_pay(closing_of(history, 1e-6), costing(0)));
}

TEST(ClosingTest, RoundsLeftFollowTheFactor) {
  EXPECT_NEAR(rounds_left(closing(1e-2, 0.1)), 4, 1e-9);
  EXPECT_NEAR(rounds_left(closing(1e-2, 0.99)), 4 * std::log(0.1) / std::log(0.99), 1e-6);
  EXPECT_EQ(rounds_left(closing(1e-7, 0.99)), 0);
}

TEST(ClosingTest, RestartsPayWhereManyRoundsAreLeft) {
  for (const double cost : {0.0, 10.0, 100.0}) {
    EXPECT_TRUE(restarts_pay(closing(1e-2, 0.9999), costing(cost))) << cost;
    EXPECT_FALSE(restarts_pay(closing(1e-2, 0.4), costing(cost))) << cost;
    EXPECT_FALSE(restarts_pay(closing(1e-6, 0.9999), costing(cost))) << cost;
  }
}

/// 66 rounds are left, or one batch and a restart.
TEST(ClosingTest, WhatARestartCostsDecides) {
  const Closing some = closing(1e-3, 0.9);
  EXPECT_NEAR(rounds_left(some), 65.6, 0.1);
  EXPECT_TRUE(restarts_pay(some, costing(10)));
  EXPECT_FALSE(restarts_pay(some, costing(50)));
}

Costs costs(std::size_t n, unsigned compute_units) {
  DeviceInfo device;
  device.compute_units = compute_units;
  return expected_costs(n, 4.0 * static_cast<double>(n * n), device);
}

TEST(ClosingTest, ARestartCostsMoreRoundsOfASmallMatrixOnAFastDevice) {
  const auto in_rounds = [](const Costs& costs) { return costs.restart / costs.round; };
  EXPECT_LT(in_rounds(costs(8192, 2)), in_rounds(costs(512, 2)));
  EXPECT_LT(in_rounds(costs(8192, 2)), in_rounds(costs(8192, 132)));
  EXPECT_LT(in_rounds(costs(8192, 2)), 2);
  EXPECT_GT(in_rounds(costs(2048, 132)), 16);
  for (const std::size_t n : {1u, 100u, 100000u}) {
    EXPECT_TRUE(std::isfinite(in_rounds(costs(n, 0))));
    EXPECT_GT(in_rounds(costs(n, 0)), 0);
  }
}

TEST(ClosingTest, TheHostIsWorthMoreRoundsTheLargerTheMatrixAndTheFasterTheDevice) {
  EXPECT_LT(rounds_worth(costs(10, 2)), 1);
  EXPECT_LT(rounds_worth(costs(100, 2)), rounds_worth(costs(1000, 2)));
  EXPECT_LT(rounds_worth(costs(1000, 2)), rounds_worth(costs(1000, 132)));
  EXPECT_GT(rounds_worth(costs(1000, 2)), 3000);
}

}  // namespace
}  // namespace tessera::eigen
