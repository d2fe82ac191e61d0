// A tuner's line of progress: the problem, the time of the whole, the best.
#include "commands/tune_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "figures.hpp"

namespace tessera::test {
namespace {

using Stage = TuneProgress::Stage;

class TuneLineTest : public testing::Test {
 protected:
  std::string text(tool::ProblemNumber which) const {
    return tool::tune_line_text(progress_, measure_, {1e12, 1e9}, which, 94.6, counts_);
  }

  Trial best_{.runs = {1}};
  TuneProgress progress_{.elapsed = 3, .budget = 12, .tried = 12, .space = 5535, .best = &best_};
  tool::Measure measure_{.work = 710e9, .unit = "FLOP/s", .peak = &Peak::flops};
  std::vector<std::size_t> counts_ = {5, 7, 0, 0, 0, 0, 0, 0};
};

TEST_F(TuneLineTest, SaysWhichProblemOfHowManyAndTheTimeOfAll) {
  EXPECT_EQ(text({3, 8}),
            "problem 3 of 8, 95 s left: 12 of 5535 tried, best 710 GFLOP/s (71.0 % of the peak), "
            "ok 5, slow 7");
}

TEST_F(TuneLineTest, OneProblemHasNoNumber) {
  EXPECT_TRUE(text({1, 1}).starts_with("95 s left: 12 of 5535 tried")) << text({1, 1});
}

TEST_F(TuneLineTest, ABestThatExceedsThePeakHasNoShare) {
  best_.runs = {0.1};
  EXPECT_NE(text({1, 1}).find("best 7.10 TFLOP/s, ok 5"), std::string::npos) << text({1, 1});
}

TEST_F(TuneLineTest, NamesTheStageAfterTheSearch) {
  progress_.stage = Stage::finals;
  EXPECT_TRUE(text({2, 2}).starts_with("problem 2 of 2, 95 s left: finals, best")) << text({2, 2});
}

}  // namespace
}  // namespace tessera::test
