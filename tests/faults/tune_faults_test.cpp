// Calls of OpenCL fail in the process that tunes, whose workers are others: an error that says so,
// nothing lost, and the same problem can be tuned afterwards.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "fault.hpp"
#include "scenarios.hpp"
#include "support/folder.hpp"
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
  inject({});
  tune_anew();
  fail_none();
  const auto functions = calls_by_function();
  std::set<std::string> failed;
  long errors = 0, tolerated = 0, runs = 0;
  for (const auto& [function, number] : functions) {
    for (const long i : std::set<long>{0, number / 2, number - 1}) {
      if (i < 0 || i >= number) continue;
      options_.journal = folder_.at("journal-" + std::to_string(runs++) + ".jsonl");
      const auto all = codes(function);
      const int code = all[static_cast<std::size_t>(runs) % all.size()];
      bool threw = false;
      inject({{.function = function, .number = i, .code = code}});
      try {
        tune_anew();
      } catch (const OpenClError& error) {
        threw = true;
        EXPECT_EQ(error.code(), code) << error.what();
        EXPECT_TRUE(is_failed_call(error.call())) << error.what();
      } catch (const Error& error) {
        threw = true;
        EXPECT_TRUE(tells_failure(error.what(), code)) << error.what();
      }
      const std::string journal = content_of(options_.journal);
      EXPECT_TRUE(journal.empty() || journal.back() == '\n') << journal;
      const std::string where = failed_call() + ", call " + std::to_string(i);
      fail_none();
      if (failed_call().empty()) continue;  // fewer calls than in another run
      (threw ? errors : tolerated)++;
      failed.insert(function);
      // What OpenCL will not release stays.
      if (where.starts_with("clRelease")) held = unreleased();
      EXPECT_EQ(unreleased(), held) << where;
      const TuneResult next = tune_anew();
      ASSERT_GE(next.trials.size(), 1U) << where;
      EXPECT_TRUE(next.trials.front().good()) << where << ": " << next.trials.front().reason;
    }
  }
  std::printf("tuning: %ld calls of %zu functions failed, %ld threw, %ld did no harm\n",
              errors + tolerated, failed.size(), errors, tolerated);
  EXPECT_GE(errors, (errors + tolerated) / 4);
}

}  // namespace
}  // namespace tessera::test
