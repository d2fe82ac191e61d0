// Neighbours: the problems on which a winner is compared with the default.
#include "tuning/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::tuning {
namespace {

TEST(NeighbourhoodTest, SizesThatNoTileDividesAndOtherTransposes) {
  const Problem problem{.m = 1024, .n = 512, .k = 256, .op_b = Op::transpose};
  DeviceInfo device;
  device.max_allocation = std::size_t{1} << 30;
  const auto groups = neighbourhood(problem, device, 1e-3, kPolicy);
  ASSERT_EQ(groups.size(), 4U);
  const auto is_odd = [](const Problem& p) { return p.m % 2 == 1 && p.n % 2 == 1 && p.k % 2 == 1; };
  bool both = false, none = false;
  double nearer = 0;
  for (const auto& group : groups) {
    EXPECT_GE(std::ranges::count_if(group, is_odd), 1);
    double farthest = 0;
    for (const Problem& neighbour : group) {
      for (const auto& [own, other] :
           {std::pair(problem.m, neighbour.m), std::pair(problem.n, neighbour.n),
            std::pair(problem.k, neighbour.k)})
        farthest = std::max(
            farthest, std::fabs(std::log2(static_cast<double>(own) / static_cast<double>(other))));
      both = both || (is_transposed(neighbour.op_a) && is_transposed(neighbour.op_b));
      none = none || (!is_transposed(neighbour.op_a) && !is_transposed(neighbour.op_b));
    }
    EXPECT_GT(farthest, nearer) << "nearest first";
    nearer = farthest;
  }
  EXPECT_LT(nearer, 2.03) << "four times as large or small";
  EXPECT_TRUE(both && none);
}

TEST(NeighbourhoodTest, WhatTakesTooLongOrIsTooLargeIsLeftOut) {
  const Problem problem{.m = 1000, .n = 1000, .k = 1000};
  DeviceInfo device;
  device.max_allocation = std::size_t{1} << 30;
  const auto largest = [&](double seconds) {
    std::size_t extent = 0;
    for (const auto& group : neighbourhood(problem, device, seconds, kPolicy)) {
      for (const Problem& neighbour : group)
        extent = std::max({extent, neighbour.m, neighbour.n, neighbour.k});
    }
    return extent;
  };
  EXPECT_EQ(largest(1e-3), 4000U);
  EXPECT_EQ(neighbourhood(problem, device, 0.004, kPolicy)[3].size(), 5U) << "4000: 64 x 0.004 s";
  EXPECT_EQ(neighbourhood(problem, device, 0.04, kPolicy)[2].size(), 5U) << "2000: 8 x 0.04 s";
  EXPECT_EQ(neighbourhood(problem, device, 1, kPolicy)[2].size(), 1U) << "500: 1 s / 8";
  device.max_allocation = 4 * 10'000'000;
  EXPECT_LT(largest(1e-3), 4000U) << "48 million elements";
}

}  // namespace
}  // namespace tessera::tuning
