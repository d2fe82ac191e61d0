// Sessions on made-up times: which wins, what is left out, how the winner does nearby.
#include "tuning/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::tuning {
namespace {

constexpr double kCost = 0.01;  // seconds that a trial takes

/// Times are what `seconds` says, times the device's slowness, times noise.
class Numbers : public Evaluator {
 public:
  std::function<double(std::size_t)> seconds;
  std::function<KernelChoice(std::size_t)> kernel;
  std::function<double(std::size_t, const Problem&)> elsewhere =
      [this](std::size_t configuration, const Problem&) { return seconds(configuration); };
  std::function<double(double)> slowness = [](double) { return 1.0; };
  double noise = 1e-3;  // standard deviation of times' logarithms
  std::set<std::size_t> wrong = {}, wrong_elsewhere = {}, stopped = {};
  Outcome failure = Outcome::wrong;  // of the wrong ones
  std::uint64_t check_seed = 0;      // that was asked for

  void enqueue(std::size_t configuration) override { waiting_.push_back(configuration); }
  std::size_t pending() const override { return waiting_.size(); }
  std::size_t queue_capacity() const override { return 1; }
  std::optional<Evaluation> next(double, double deadline) override {
    if (waiting_.empty() || now_ >= deadline) return std::nullopt;
    now_ += kCost;
    Evaluation evaluation{waiting_.front(), {.kernel = kernel(waiting_.front())}};
    waiting_.pop_front();
    if (wrong.contains(evaluation.configuration)) {
      evaluation.trial.outcome = failure;
    } else {
      evaluation.trial.runs = {noisy(seconds(evaluation.configuration))};
    }
    return evaluation;
  }
  void drop() override { waiting_.clear(); }
  std::optional<double> time(std::size_t configuration, const Problem& problem,
                             double deadline) override {
    if (now_ >= deadline) return std::nullopt;
    now_ += kCost;
    if (stopped.contains(configuration) && problem.m != 100) return std::nullopt;
    return noisy(elsewhere(configuration, problem));
  }
  std::string check(std::size_t configuration, std::uint64_t seed) override {
    check_seed = seed;
    return wrong_elsewhere.contains(configuration) ? "element (0, 0) is 1 instead of 2" : "";
  }
  double now() const override { return now_; }
  double date() const override { return 1000 + now_; }

 private:
  double noisy(double value) { return value * slowness(now_) * std::exp(noise * normal_(random_)); }
  std::deque<std::size_t> waiting_;
  double now_ = 0;
  std::mt19937_64 random_{1};
  std::normal_distribution<double> normal_;
};

class SessionTest : public testing::Test {
 protected:
  static constexpr std::size_t kConfigurations = 30;

  static Space space() {
    std::vector<KernelChoice> all;
    for (int i = 0; i < static_cast<int>(kConfigurations); i++) all.push_back({"v", {{"P", i}}});
    return Space(all);
  }
  TuneResult result() {
    return run({.space = space_,
                .evaluator = evaluator_,
                .options = options_,
                .default_configuration = at(0),
                .first = {at(0)},
                .nearby = nearby_,
                .policy = policy_},
               problem_, {});
  }
  std::size_t at(int parameter) const { return *space_.find({"v", {{"P", parameter}}}); }
  int parameter(std::size_t configuration) const {
    return space_[configuration].parameters.at("P");
  }
  static int winner(const TuneResult& result) { return result.best.parameters.at("P"); }

  Space space_ = space();
  Numbers evaluator_;
  TuneOptions options_{.budget = 60};
  Policy policy_ = {};
  Problem problem_{.m = 100, .n = 100, .k = 100};
  std::function<Neighbourhood(double)> nearby_ = [](double) { return Neighbourhood(); };

  /// Fastest at parameter 20; the default is the slowest.
  SessionTest() {
    evaluator_.kernel = [this](std::size_t c) { return space_[c]; };
    evaluator_.seconds = [this](std::size_t c) {
      return 1e-3 * (1 + 0.05 * std::abs(parameter(c) - 20));
    };
  }
};

TEST_F(SessionTest, WhyNoneWasTriedIsSaid) {
  options_.budget = 0;
  EXPECT_TRUE(result().conclusion.starts_with("none was tried, because the budget ended"));
  options_ = {.budget = 60, .max_evaluations = 0};
  EXPECT_TRUE(result().conclusion.starts_with("none was tried, because max_evaluations is 0"));
  const CancelSource source;
  source.cancel();
  options_ = {.budget = 0, .cancel = source.token()};
  EXPECT_TRUE(result().conclusion.starts_with("none was tried before the tuner was stopped"));
}

TEST_F(SessionTest, TheFastestWinsAndTheDefaultStaysInTheFinals) {
  const TuneResult tuned = result();
  EXPECT_EQ(tuned.trials.size(), kConfigurations);
  EXPECT_EQ(winner(tuned), 20);
  EXPECT_TRUE(beats_default(tuned, policy_));
  EXPECT_NEAR(tuned.speedup_lower, 2, 0.02);
  EXPECT_NEAR(tuned.speedup_upper, 2, 0.02);
  ASSERT_EQ(tuned.finalists.size(), 11U) << "ten and the default";
  for (std::size_t i = 1; i < tuned.finalists.size(); i++)
    EXPECT_GT(tuned.finalists[i].seconds, 0.99 * tuned.finalists[i - 1].seconds);
  EXPECT_EQ(tuned.finalists.back().kernel, tuned.default_kernel);
  EXPECT_FALSE(tuned.finalists[1].tied) << "five parts in a hundred are no noise";
}

TEST_F(SessionTest, TooFewRoundsAreNoTie) {
  options_.budget = 0.3;  // a search of 21 trials, finals of eight calls
  evaluator_.seconds = [this](std::size_t c) { return c == at(0) ? 20e-3 : 1e-3; };
  const TuneResult tuned = result();
  ASSERT_EQ(tuned.finalists.size(), 2U);
  EXPECT_EQ(tuned.finalists[1].kernel, tuned.default_kernel);
  EXPECT_FALSE(tuned.finalists[1].tied);
  EXPECT_TRUE(std::isinf(tuned.finalists[1].ratio_upper));
}

TEST_F(SessionTest, AWinnerThatIsWrongElsewhereIsLeftOut) {
  evaluator_.wrong_elsewhere = {at(20), at(19), at(21)};
  const TuneResult tuned = result();
  EXPECT_TRUE(winner(tuned) == 18 || winner(tuned) == 22) << winner(tuned);
  EXPECT_NE(tuned.checked.find("element (0, 0) is 1 instead of 2"), std::string::npos);
}

TEST_F(SessionTest, WhereAllAreWrongElsewhereNothingWins) {
  for (std::size_t i = 0; i < space_.size(); i++) evaluator_.wrong_elsewhere.insert(i);
  const TuneResult tuned = result();
  EXPECT_FALSE(beats_default(tuned, policy_));
  EXPECT_TRUE(tuned.finalists.empty());
  EXPECT_NE(tuned.conclusion.find("nothing is saved"), std::string::npos);
}

TEST_F(SessionTest, WithoutARightKernelNothingWins) {
  for (std::size_t i = 0; i < space_.size(); i++) evaluator_.wrong.insert(i);
  const TuneResult tuned = result();
  EXPECT_FALSE(beats_default(tuned, policy_));
  EXPECT_NE(tuned.conclusion.find("nothing is saved"), std::string::npos);
}

TEST_F(SessionTest, ADefaultThatIsWrongIsBeatenAndOneThatWasStoppedIsNot) {
  evaluator_.wrong = {at(0)};
  const TuneResult tuned = result();
  EXPECT_EQ(tuned.default_seconds, 0);
  EXPECT_TRUE(beats_default(tuned, policy_));
  evaluator_.failure = Outcome::run_timeout;
  EXPECT_FALSE(beats_default(result(), policy_));
}

TEST_F(SessionTest, AWinnerHasToBeAsMuchFasterAsThePolicySays) {
  nearby_ = [](double) { return Neighbourhood{{{.m = 150}}}; };
  policy_.worth_saving = 1.9;
  const TuneResult tuned = result();
  EXPECT_TRUE(beats_default(tuned, policy_)) << tuned.speedup;
  EXPECT_EQ(tuned.neighbours.size(), 1U);
  policy_.worth_saving = 2.1;
  EXPECT_FALSE(beats_default(tuned, policy_)) << tuned.speedup;
  EXPECT_TRUE(result().neighbours.empty()) << "only those of a winner that is saved are measured";
}

TEST_F(SessionTest, FinalsJudgeAfterAsManyRoundsAsThePolicySays) {
  nearby_ = [](double) { return Neighbourhood{{{.m = 150}}}; };
  policy_.max_rounds = policy_.neighbour_rounds = 9;
  policy_.min_rounds = 9;
  const TuneResult judged = result();
  EXPECT_TRUE(std::isfinite(judged.speedup_upper));
  ASSERT_EQ(judged.neighbours.size(), 1U);
  EXPECT_TRUE(std::isfinite(judged.neighbours[0].ratio_upper));
  policy_.neighbour_rounds = 8;
  EXPECT_TRUE(std::isinf(result().neighbours.at(0).ratio_upper));
  policy_.min_rounds = 10;
  EXPECT_TRUE(std::isinf(result().speedup_upper));
}

TEST_F(SessionTest, NoiseIsNoSpeedup) {
  evaluator_.seconds = [](std::size_t) { return 1e-3; };
  evaluator_.noise = 0.03;
  int winners = 0;
  for (int i = 0; i < 100; i++) winners += beats_default(result(), policy_) ? 1 : 0;
  std::printf("a winner %d times of 100\n", winners);
  EXPECT_LE(winners, 5);
}

TEST_F(SessionTest, WhatLeavesEarlyDoesNotWinWhereTheDeviceGrowsSlow) {
  // Two tie, so that there are rounds after those in which the others left.
  evaluator_.seconds = [this](std::size_t c) {
    return 1e-3 * (1 + 0.02 * (std::abs(2 * parameter(c) - 41) / 2));
  };
  evaluator_.slowness = [](double now) { return now < 1.2 ? 1.0 : 2.0; };
  const TuneResult tuned = result();
  EXPECT_TRUE(winner(tuned) == 20 || winner(tuned) == 21) << winner(tuned);
  EXPECT_GT(tuned.elapsed, 2) << "rounds at half the speed";
}

TEST_F(SessionTest, ADeviceThatGrowsSlowDoesNotHideTheBest) {
  evaluator_.slowness = [](double now) { return 1 + 20 * std::min(now, 0.5); };
  options_.strategy = TuneStrategy::random;
  for (options_.seed = 1; options_.seed <= 5; options_.seed++) {
    Numbers fresh;
    fresh.kernel = evaluator_.kernel;
    fresh.seconds = evaluator_.seconds;
    fresh.slowness = evaluator_.slowness;
    const TuneResult tuned = run({.space = space_,
                                  .evaluator = fresh,
                                  .options = options_,
                                  .default_configuration = at(0),
                                  .first = {at(0)},
                                  .policy = policy_},
                                 problem_, {});
    EXPECT_LE(std::abs(winner(tuned) - 20), 1) << "seed " << options_.seed;
  }
}

TEST_F(SessionTest, ADeadlineEndsItWithTheBestSoFar) {
  options_.budget = 30 * kCost;
  const TuneResult tuned = result();
  EXPECT_LT(tuned.trials.size(), kConfigurations);
  EXPECT_LE(tuned.elapsed, options_.budget + kCost);
  EXPECT_FALSE(tuned.finalists.empty());
}

TEST_F(SessionTest, TheSeedOfTheLastCheckIsReported) {
  const TuneResult tuned = result();
  EXPECT_NE(tuned.check_seed, 0U);
  EXPECT_EQ(evaluator_.check_seed, tuned.check_seed);
}

TEST(ReplaySessionTest, TheDefaultIsTheOneThatIsNamedWhicheverEndedFirst) {
  const auto trial = [](int parameter, double seconds) {
    return Trial{.kernel = {"v", {{"P", parameter}}}, .runs = {seconds}, .build = 0.1};
  };
  const std::vector<Trial> recorded = {trial(2, 1e-3), trial(1, 3e-3), trial(3, 2e-3)};
  const TuneResult tuned = replay({}, {}, recorded, {}, {"v", {{"P", 1}}});
  EXPECT_EQ(tuned.default_kernel, recorded[1].kernel);
  EXPECT_NEAR(tuned.speedup, 3, 1e-9);
  EXPECT_EQ(tuned.trials.front().kernel, tuned.default_kernel) << "it is tried first";
  EXPECT_EQ(replay({}, {}, recorded).default_kernel, recorded[0].kernel) << "where none is named";
  EXPECT_THROW(replay({}, {}, recorded, {}, {"v", {{"P", 9}}}), Error);
}

TEST_F(SessionTest, NeighboursEndAfterTheGroupInWhichTheWinnerIsSlower) {
  const Problem near{.m = 150, .n = 150, .k = 150}, far{.m = 200, .n = 200, .k = 200},
      farther{.m = 400};
  nearby_ = [&](double seconds) {
    EXPECT_NEAR(seconds, 1e-3, 1e-5) << "the winner's";
    return Neighbourhood{{near}, {far, near}, {farther}};
  };
  evaluator_.elsewhere = [&](std::size_t c, const Problem& problem) {
    return problem == far && c != at(0) ? 1 : evaluator_.seconds(c);
  };
  const TuneResult tuned = result();
  ASSERT_EQ(tuned.neighbours.size(), 3U);
  EXPECT_NEAR(tuned.neighbours[0].ratio, 0.5, 0.01);
  EXPECT_NEAR(tuned.neighbours[0].ratio_upper, 0.5, 0.01);
  EXPECT_EQ(tuned.neighbours[1].problem, far);
  EXPECT_NEAR(tuned.neighbours[1].ratio, 500, 5);
  EXPECT_EQ(tuned.neighbours[2].problem, near) << "the rest of the group";

  evaluator_.elsewhere = [&](std::size_t c, const Problem&) { return evaluator_.seconds(c); };
  EXPECT_EQ(result().neighbours.size(), 4U);
  evaluator_.stopped = {at(0)};
  EXPECT_TRUE(result().neighbours.empty()) << "a default that was stopped is not slower";
  evaluator_.stopped = {at(20)};
  EXPECT_TRUE(result().neighbours.empty());
}

}  // namespace
}  // namespace tessera::tuning
