// Calls of OpenCL fail in the process that tunes, whose workers are others: an error that says so,
// nothing lost, and the same problem can be tuned afterwards.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <tessera/tessera.hpp>

#include "fault.hpp"
#include "tuning/tune_fixture.hpp"

namespace tessera::test {
namespace {

class TuneFaultsTest : public TuneFixture {
 protected:
  TuneFaultsTest() { options_.max_evaluations = 1; }

  TuneResult tune_anew() { return tune(engine(), problem_); }
};

TEST_F(TuneFaultsTest, AFailingCallIsAnErrorAndTheProblemCanBeTunedAfterwards) {
  tune_anew();
  std::string held = unreleased();
  fail_call(-1);
  tune_anew();
  fail_none();
  const long number = calls();
  ASSERT_GT(number, 20);
  constexpr long kFailures = 20;
  long errors = 0, tolerated = 0;
  for (long i = 0; i < kFailures; i++) {
    options_.journal = folder_.at("journal-" + std::to_string(i) + ".jsonl");
    bool threw = false;
    fail_call(i * number / kFailures);
    try {
      tune_anew();
    } catch (const Error& error) {
      threw = true;
      EXPECT_NE(std::string(error.what()).find("CL_OUT_OF_RESOURCES"), std::string::npos)
          << failed_call() << ": " << error.what();
    }
    const std::string where = failed_call();
    fail_none();
    if (where.empty()) continue;  // fewer calls than in another run
    (threw ? errors : tolerated)++;
    if (where.starts_with("clRelease")) held = unreleased();  // what OpenCL will not release stays
    EXPECT_EQ(unreleased(), held) << where;
    const TuneResult next = tune_anew();
    ASSERT_EQ(next.trials.size(), threw ? 1U : 2U) << where;
    EXPECT_TRUE(next.trials.front().good()) << where << ": " << next.trials.front().reason;
    EXPECT_EQ(next.trials.front().from_journal, !threw) << where;
  }
  std::printf("tuning: %ld of %ld calls failed, %ld threw, %ld did no harm\n", errors + tolerated,
              number, errors, tolerated);
  EXPECT_GE(errors, (errors + tolerated) / 4);
}

}  // namespace
}  // namespace tessera::test
