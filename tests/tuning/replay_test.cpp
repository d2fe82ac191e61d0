// Searches replayed in recordings of spaces that were measured whole, by
//   tessera tune multiply --variant ... --strategy full --kernel-tuner-cache ...
// register_tiled: 2048 x 2048 on an NVIDIA H200, once. packed: 512 x 512 on one core of a Xeon with
// AVX-512 by PoCL 5, 25 times in different orders, because single times scatter by 15 % there. Each
// time is the median of its 25, after the drift of the core's speed was removed (a running median
// over 31 neighbours in time).
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "exports/kernel_tuner_cache.hpp"
#include "exports/kernel_tuner_reader.hpp"
#include "exports/t4.hpp"
#include "report/report.hpp"
#include "report/tune_card.hpp"
#include "tessera/error.hpp"
#include "tessera/tune.hpp"
#include "text.hpp"

namespace tessera {
namespace {

/// A search that is replayed is the same on every device.
std::vector<std::uint64_t> seeds() {
  std::vector<std::uint64_t> all(30);
  std::iota(all.begin(), all.end(), std::uint64_t{1});
  return all;
}

class ReplayTest : public testing::TestWithParam<const char*> {
 protected:
  static const tool::Recording& recording() {
    static std::map<std::string, tool::Recording> all;
    const std::string file = std::string(TESSERA_RECORDINGS "/") + GetParam() + ".json";
    const auto known = all.find(file);
    if (known != all.end()) return known->second;
    return all.emplace(file, tool::read_kernel_tuner_cache(tool::read_file(file), file))
        .first->second;
  }
  static double best() {
    double minimum = std::numeric_limits<double>::infinity();
    for (const Trial& trial : recording().trials)
      if (trial.good()) minimum = std::min(minimum, trial.seconds());
    return minimum;
  }
  static TuneResult search(TuneStrategy strategy, std::uint64_t seed, std::size_t evaluations) {
    return replay(
        recording().problem, recording().device, recording().trials,
        {.budget = 1e9, .strategy = strategy, .seed = seed, .max_evaluations = evaluations},
        recording().default_kernel);
  }
  /// The best time after each evaluation, over the best there is.
  static std::vector<double> gaps(const std::vector<Trial>& trials) {
    const double best = ReplayTest::best();
    double minimum = std::numeric_limits<double>::infinity();
    std::vector<double> all;
    for (const Trial& trial : trials) {
      if (trial.good()) minimum = std::min(minimum, trial.seconds());
      all.push_back(minimum / best);
    }
    return all;
  }
  /// Evaluations until the gap is that small.
  static double until(const std::vector<Trial>& trials, double wanted) {
    const auto all = gaps(trials);
    const auto first = std::ranges::find_if(all, [&](double gap) { return gap <= wanted; });
    return static_cast<double>(first - all.begin() + 1);
  }
};

TEST_P(ReplayTest, TheSpaceIsLargeAndWhole) {
  EXPECT_GE(recording().trials.size(), 3000U);
  EXPECT_TRUE(std::ranges::all_of(recording().trials, [](const Trial& trial) {
    return trial.kernel.variant == recording().trials.front().kernel.variant;
  }));
}

TEST_P(ReplayTest, NearTheBestAfterFewEvaluations) {
  const auto seeds = tessera::seeds();
  const auto number = static_cast<double>(seeds.size());
  double gap = 0, model = 0, chance = 0;
  for (const std::uint64_t seed : seeds) {
    const auto trials = search(TuneStrategy::model, seed, 100).trials;
    gap += (gaps(trials).back() - 1) / number;
    const bool near = gaps(trials).back() <= 1.05;
    model += until(near ? trials : search(TuneStrategy::model, seed, 500).trials, 1.05);
    chance += until(search(TuneStrategy::random, seed, recording().trials.size()).trials, 1.05);
  }
  std::printf(
      "%s, means of %zu seeds: %.2f %% over the best after 100 evaluations; within 5 %% "
      "after %.0f, by chance after %.0f\n",
      GetParam(), seeds.size(), 100 * gap, model / number, chance / number);
  EXPECT_LE(gap, 0.02);
  EXPECT_LE(3 * model, chance);
}

TEST_P(ReplayTest, TheSameSeedGivesTheSameBytes) {
  const auto texts = [](const TuneResult& result) {
    const tool::TunedProblem problem{result};
    return std::vector<std::string>{tool::t4_text({&result, 1}), tool::kernel_tuner_cache(result),
                                    tool::html_report({&problem, 1}), tool::tune_card(result),
                                    tool::tune_json(result).dump()};
  };
  const auto once = texts(search(TuneStrategy::model, 7, 60));
  EXPECT_EQ(once, texts(search(TuneStrategy::model, 7, 60)));
  EXPECT_NE(once, texts(search(TuneStrategy::model, 8, 60)));
}

TEST_P(ReplayTest, TheBudgetIsCharged) {
  const TuneResult result = replay(recording().problem, recording().device, recording().trials,
                                   {.budget = 30, .strategy = TuneStrategy::random});
  EXPECT_GT(result.trials.size(), 5U);
  EXPECT_LT(result.trials.size(), recording().trials.size());
  EXPECT_LT(result.elapsed, 35);
  EXPECT_FALSE(result.saved);
}

INSTANTIATE_TEST_SUITE_P(Recordings, ReplayTest, testing::Values("packed", "register_tiled"),
                         [](const auto& name) { return std::string(name.param); });

TEST(ReplayWithoutTest, NothingRecordedIsAnError) { EXPECT_THROW(replay({}, {}, {}), Error); }

}  // namespace
}  // namespace tessera
