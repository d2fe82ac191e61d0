// Calls and commands fail, or the device is lost, while a problem is tuned, in the tuning process
// or in its workers. The failure becomes an error or a failed trial, nothing leaks, and the same
// problem can be tuned afterwards.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "defect.hpp"
#include "fault.hpp"
#include "scenarios.hpp"
#include "support/folder.hpp"
#include "support/share.hpp"
#include "support/variable.hpp"
#include "tuning/tune_fixture.hpp"

namespace tessera::test {
namespace {

std::set<long> first_middle_and_last(long number) {
  std::set<long> all = {0, number / 2, number - 1};
  std::erase_if(all, [&](long i) { return i < 0 || i >= number; });
  return all;
}

/// The variable that loads the layer of faults into a process: older loaders have no layers.
const char* variable_of_layers() {
  void* const loader = ::dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);
  const link_map* map = nullptr;
  if (loader == nullptr || ::dlinfo(loader, RTLD_DI_LINKMAP, &map) != 0)
    throw std::runtime_error("no loader of OpenCL in this process");
  const bool layers = content_of(map->l_name).find("OPENCL_LAYERS") != std::string::npos;
  ::dlclose(loader);
  return layers ? "OPENCL_LAYERS" : "LD_PRELOAD";
}

class TuneFaultsTest : public TuneFixture {
 protected:
  TuneFaultsTest() { options_.max_evaluations = 1; }

  TuneResult tune_anew() { return tune(engine(), problem_); }

  void start_journal() {
    options_.journal = folder_.at("journal-" + std::to_string(runs_++) + ".jsonl");
  }

  void expect_whole_journal() const {
    const std::string journal = content_of(options_.journal);
    EXPECT_TRUE(journal.empty() || journal.back() == '\n') << journal;
  }

  /// Tunes with a separate journal, whose last line is whole. Returns whether it threw a documented
  /// error. `code` is the code of a failing call; 0: a command fails, or the device is lost.
  bool tuning_throws(int code) {
    start_journal();
    bool threw = false;
    try {
      tune_anew();
    } catch (const OpenClError& error) {
      threw = true;
      if (code != 0) {
        EXPECT_EQ(error.opencl_code(), code) << error.what();
        EXPECT_TRUE(is_failed_call(error.call())) << error.what();
      }
    } catch (const Error& error) {
      threw = true;
      EXPECT_TRUE(code == 0 || tells_failure(error.what(), code)) << error.what();
    }
    expect_whole_journal();
    return threw;
  }

  /// Why a tuning failed whose workers have this fault, by an error or by its trial; nothing where
  /// none of them came so far.
  std::optional<std::string> failure_with(const std::string& fault) {
    const Variable faults("TESSERA_FAULTS", fault);
    start_journal();
    std::optional<std::string> reason;
    try {
      const TuneResult result = tune_anew();
      if (result.trials.empty()) return "no trial";
      if (!result.trials.front().good()) reason = result.trials.front().reason;
    } catch (const Error& error) {
      reason = error.what();
    }
    expect_whole_journal();
    return reason;
  }

  void expect_tunable(const std::string& where) {
    const TuneResult next = tune_anew();
    ASSERT_GE(next.trials.size(), 1U) << where;
    EXPECT_TRUE(next.trials.front().good()) << where << ": " << next.trials.front().reason;
  }

  int runs_ = 0;
};

TEST_F(TuneFaultsTest, AFailingCallIsAnErrorAndTheProblemCanBeTunedAfterwards) {
  tune_anew();
  std::string held = unreleased();
  inject({});
  tune_anew();
  fail_none();
  const auto functions = calls_by_function();
  std::set<std::string> failed;
  const Share share = Share::from_environment();
  std::size_t turn = 0;
  long errors = 0, tolerated = 0;
  for (const auto& [function, number] : functions) {
    for (const long i : first_middle_and_last(number)) {
      if (!share.has(turn++)) continue;
      const auto all = codes(function);
      const int code = all[static_cast<std::size_t>(runs_ + 1) % all.size()];
      inject({{.function = function, .number = i, .code = code}});
      const bool threw = tuning_throws(code);
      const std::string where = failed_call() + ", call " + std::to_string(i);
      fail_none();
      if (failed_call().empty()) continue;  // fewer calls than in another run
      (threw ? errors : tolerated)++;
      failed.insert(function);
      // An object stays if OpenCL does not release it.
      if (where.starts_with("clRelease")) held = unreleased();
      EXPECT_EQ(unreleased(), held) << where;
      expect_tunable(where);
    }
  }
  std::printf("tuning: %ld calls of %zu functions failed, %ld threw, %ld did no harm\n",
              errors + tolerated, failed.size(), errors, tolerated);
  EXPECT_GE(errors, (errors + tolerated) / 4);
}

TEST_F(TuneFaultsTest, AFailingCommandOrALostDeviceDoesNotHinderTheNextTuning) {
  tune_anew();
  const std::string held = unreleased();
  inject({});
  tune_anew();
  fail_none();
  const long commands_of_one = commands(), waits_of_one = waits();
  long errors = 0, tolerated = 0;
  for (const long i : first_middle_and_last(commands_of_one)) {
    fail_command(i);
    (tuning_throws(0) ? errors : tolerated)++;
    fail_none();
    EXPECT_EQ(unreleased(), held) << "command " << i << ", " << failed_call();
    expect_tunable("after command " + std::to_string(i));
  }
  for (const long i : first_middle_and_last(waits_of_one)) {
    lose_device(i);
    (tuning_throws(0) ? errors : tolerated)++;
    fail_none();
    EXPECT_EQ(land(), "") << "wait " << i;
    expect_tunable("after wait " + std::to_string(i));
  }
  std::printf("tuning: of %ld commands and %ld waits, %ld threw, %ld did no harm\n",
              commands_of_one, waits_of_one, errors, tolerated);
}

TEST_F(TuneFaultsTest, OnlyWorkersMakeOperands) {
  const Engine engine = this->engine();
  tune(engine, problem_);
  inject({});
  start_journal();
  const TuneResult result = tune(engine, problem_);
  fail_none();
  EXPECT_TRUE(result.trials.at(0).good());
  EXPECT_EQ(calls_by_function()["clCreateBuffer"], 0);
  EXPECT_EQ(commands(), 0);
}

/// In workers, by the layer of faults: numbers that are doubled until a tuning has fewer commands,
/// or waits.
TEST_F(TuneFaultsTest, AWorkersFailingCommandOrLostDeviceIsAnErrorOrATrialThatSaysSo) {
  tune_anew();  // this process has loaded its loader, so a layer has no effect on it
  const Variable layer(variable_of_layers(), TESSERA_FAULTS_LAYER);
  for (const char* kind : {"command=", "lost="}) {
    long failed = 0;
    for (long number = 1;; number *= 2) {
      ASSERT_LT(number, 100000) << kind;
      const std::string fault = kind + std::to_string(number);
      const auto reason = failure_with(fault);
      start_journal();
      expect_tunable("after " + fault);
      if (!reason) break;
      EXPECT_NE(reason->find("CL_"), std::string::npos) << fault << ": " << *reason;
      failed++;
    }
    std::printf("tuning: %ld numbers of %sN failed in workers\n", failed, kind);
    EXPECT_GT(failed, 0) << kind;
  }
}

}  // namespace
}  // namespace tessera::test
