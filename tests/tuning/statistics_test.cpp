// Medians and intervals, beside figures that were computed by hand.
#include "tuning/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::tuning {
namespace {

/// 1, 2, … in another order.
std::vector<double> first_numbers(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  std::ranges::rotate(numbers, numbers.begin() + static_cast<std::ptrdiff_t>(count / 3));
  std::ranges::reverse(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count / 2));
  return numbers;
}

TEST(StatisticsTest, TheMedianOfAnEvenCountLiesBetweenTwo) {
  EXPECT_EQ(median(std::vector{7.0}), 7);
  EXPECT_EQ(median(std::vector{3.0, 1.0}), 2);
  EXPECT_EQ(median(std::vector{9.0, 1.0, 4.0}), 4);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 100.0, 2.0}), 3);
}

/// Order statistics r and n + 1 - r, with 2 P(Binomial(n, 1/2) < r) <= 5 % and r as large as that
/// allows: the tables of the sign test.
TEST(StatisticsTest, TheMediansIntervalIsOfOrderStatistics) {
  const std::vector<std::pair<std::size_t, std::size_t>> ranks = {
      {6, 1}, {7, 1}, {8, 1}, {9, 2}, {10, 2}, {11, 2}, {12, 3}, {15, 4}, {20, 6}, {40, 14}};
  for (const auto& [count, rank] : ranks) {
    const auto [lower, upper] = median_interval(first_numbers(count));
    EXPECT_EQ(lower, static_cast<double>(rank)) << count;
    EXPECT_EQ(upper, static_cast<double>(count + 1 - rank)) << count;
  }
}

TEST(StatisticsTest, TheMediansIntervalOfAFewIsTheirRange) {
  for (const std::size_t count : {1U, 2U, 3U, 4U, 5U}) {
    const auto [lower, upper] = median_interval(first_numbers(count));
    EXPECT_EQ(lower, 1) << count;
    EXPECT_EQ(upper, static_cast<double>(count)) << count;
  }
}

}  // namespace
}  // namespace tessera::tuning
