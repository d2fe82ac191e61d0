// Medians and intervals, beside figures that were computed by hand.
#include "tuning/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::tuning {
namespace {

/// 1, 2, … in an order that is not theirs.
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

TEST(StatisticsTest, TheMeansIntervalIsStudents) {
  // Mean 2, standard error 1; t of one degree of freedom is 12.706.
  const auto two = mean_interval(std::vector{1.0, 3.0});
  EXPECT_NEAR(two.lower, 2 - 12.706, 1e-3);
  EXPECT_NEAR(two.upper, 2 + 12.706, 1e-3);
  // Mean 3, sum of squares 14, standard error sqrt(14 / 2 / 3) = 1.52753; t is 4.303.
  const auto three = mean_interval(std::vector{1.0, 2.0, 6.0});
  EXPECT_NEAR(three.lower, -3.573, 1e-3);
  EXPECT_NEAR(three.upper, 9.573, 1e-3);
  // 1 to 10: mean 5.5, variance 55 / 6, standard error 0.957427; t is 2.262.
  const auto ten = mean_interval(first_numbers(10));
  EXPECT_NEAR(ten.lower, 3.3343, 1e-3);
  EXPECT_NEAR(ten.upper, 7.6657, 1e-3);
  const auto alike = mean_interval(std::vector{4.0, 4.0, 4.0});
  EXPECT_EQ(alike.lower, 4);
  EXPECT_EQ(alike.upper, 4);
}

/// As many of -1 as of 1: the standard error is sqrt(n / (n - 1) / n), the interval's half t times
/// it.
TEST(StatisticsTest, StudentsQuantilesAreThoseOfTheTables) {
  const std::vector<std::pair<std::size_t, double>> quantiles = {
      {1, 12.706}, {3, 3.182},  {5, 2.571},  {9, 2.262},  {15, 2.131}, {19, 2.093},
      {21, 2.080}, {29, 2.045}, {39, 2.023}, {59, 2.001}, {119, 1.980}};
  for (const auto& [degrees, quantile] : quantiles) {
    std::vector<double> values;
    for (std::size_t i = 0; i <= degrees; i++) values.push_back(i % 2 == 0 ? 1 : -1);
    const auto [lower, upper] = mean_interval(values);
    EXPECT_NEAR(lower, -upper, 1e-12);
    EXPECT_NEAR(upper * std::sqrt(static_cast<double>(degrees)) / quantile, 1, 3e-3) << degrees;
  }
}

TEST(StatisticsTest, TheMeansIntervalOfOneOrNoneHasNoEnd) {
  const auto one = mean_interval(std::vector{5.0});
  EXPECT_EQ(one.lower, -INFINITY);
  EXPECT_EQ(one.upper, INFINITY);
  const auto none = mean_interval({});
  EXPECT_EQ(none.lower, -INFINITY);
  EXPECT_EQ(none.upper, INFINITY);
}

}  // namespace
}  // namespace tessera::tuning
