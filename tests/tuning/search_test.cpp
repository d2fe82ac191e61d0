// Searches among made-up configurations, whose times are known.
#include "tuning/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tessera::tuning {
namespace {

/// 4 x 5^4 = 2500 configurations of one variant, and eight of another that is slow.
Space example() {
  std::vector<KernelChoice> all;
  for (int i = 0; i < 4 * 5 * 5 * 5 * 5; i++) {
    all.push_back({"fast",
                   {{"A", i % 4},
                    {"B", 1 << (i / 4 % 5)},
                    {"C", i / 20 % 5},
                    {"D", i / 100 % 5},
                    {"E", i / 500}}});
  }
  for (int i = 0; i < 8; i++) all.push_back({"slow", {{"A", i}}});
  return Space(std::move(all));
}

/// Best where A = 2, B = 8, C + D = 5 and E = 1: parameters that matter alone, and two together.
double seconds(const KernelChoice& kernel) {
  if (kernel.variant == "slow") return 100;
  const auto& p = kernel.parameters;
  return std::exp(0.3 * std::abs(p.at("A") - 2) + 0.2 * std::fabs(std::log2(p.at("B") / 8.0)) +
                  0.25 * std::abs(p.at("C") + p.at("D") - 5) + 0.02 * p.at("C") +
                  0.1 * std::abs(p.at("E") - 1));
}

/// The best time after so many evaluations.
double best_after(const Space& space, TuneStrategy strategy, std::uint64_t seed,
                  std::size_t count) {
  Search search(space, strategy, seed, {0}, kPolicy);
  double best = INFINITY;
  while (count > 0) {
    const auto proposed = search.propose(std::min<std::size_t>(count, 4));
    if (proposed.empty()) break;
    for (const std::size_t configuration : proposed) {
      const double time = seconds(space[configuration]);
      search.observe(configuration, time);
      best = std::min(best, time);
      count--;
    }
  }
  return best;
}

TEST(SearchTest, EveryStrategyProposesEachConfigurationOnce) {
  std::vector<KernelChoice> few;
  for (int i = 0; i < 60; i++) few.push_back({"one", {{"A", i % 10}, {"B", i / 10}}});
  const Space space(few);
  for (const auto strategy : {TuneStrategy::model, TuneStrategy::random, TuneStrategy::full}) {
    Search search(space, strategy, 3, {7, 5}, kPolicy);
    std::vector<std::size_t> order;
    for (;;) {
      const auto proposed = search.propose(4);
      if (proposed.empty()) break;
      for (const std::size_t c : proposed) {
        order.push_back(c);
        search.observe(c, c % 7 == 0 ? std::nullopt : std::optional(1.0 + static_cast<double>(c)));
      }
    }
    EXPECT_EQ(order.size(), space.size()) << to_string(strategy);
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), space.size()) << to_string(strategy);
    EXPECT_EQ(order[0], 7U);
    EXPECT_EQ(order[1], 5U);
  }
}

TEST(SearchTest, WhatWasSeenBeforeIsNotProposed) {
  const Space space({{"one", {{"A", 1}}}, {"one", {{"A", 2}}}, {"one", {{"A", 3}}}});
  Search search(space, TuneStrategy::model, 1, {0}, kPolicy);
  search.observe(0, 1.0);
  search.observe(2, std::nullopt);
  EXPECT_EQ(search.propose(4), std::vector<std::size_t>{1});
  EXPECT_TRUE(search.propose(4).empty());
}

TEST(SearchTest, TheSameSeedProposesTheSame) {
  const Space space = example();
  for (const std::uint64_t seed : {1U, 2U}) {
    Search one(space, TuneStrategy::model, seed, {0}, kPolicy),
        other(space, TuneStrategy::model, seed, {0}, kPolicy);
    for (int turn = 0; turn < 4; turn++) {
      const auto proposed = one.propose(4);
      EXPECT_EQ(proposed, other.propose(4));
      for (const std::size_t c : proposed) {
        one.observe(c, seconds(space[c]));
        other.observe(c, seconds(space[c]));
      }
    }
  }
}

TEST(SearchTest, TheModelIsNearTheBestWhereChanceIsNot) {
  const Space space = example();
  double model = 0, random = 0;
  constexpr int kSeeds = 3;
  for (std::uint64_t seed = 1; seed <= kSeeds; seed++) {
    model += best_after(space, TuneStrategy::model, seed, 80) / kSeeds;
    random += best_after(space, TuneStrategy::random, seed, 80) / kSeeds;
  }
  EXPECT_LT(model, 1.03);
  EXPECT_GT(random, 1.10);
}

TEST(SpaceTest, FindsWhatItHasAndNothingElse) {
  const Space space({{"b", {{"A", 4}, {"B", 1}}},
                     {"a", {{"C", 1}}},
                     {"b", {{"A", 2}, {"B", 1}}},
                     {"a", {{"C", 1}}}});
  ASSERT_EQ(space.size(), 3U);
  for (std::size_t i = 0; i < space.size(); i++) EXPECT_EQ(space.find(space[i]), i);
  EXPECT_FALSE(space.find({"b", {{"A", 3}, {"B", 1}}}));
  EXPECT_EQ(space.differences(1, 2), 1U);
  EXPECT_FALSE(space.differences(0, 1));
}

}  // namespace
}  // namespace tessera::tuning
