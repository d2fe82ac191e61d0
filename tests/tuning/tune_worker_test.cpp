// The worker of a tuner: one that is not there, is of another version, or gives answers that do not
// fit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "runtime/child_process.hpp"
#include "support/file_size_limit.hpp"
#include "support/variable.hpp"
#include "tessera/error.hpp"
#include "tuning/tune_fixture.hpp"
#include "tuning/worker_process.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class TuneWorkerTest : public test::TuneFixture {
 protected:
  /// A worker that builds for so many seconds, runs the shell command at a check, and answers all
  /// other requests at once.
  test::Variable works(double seconds, const std::string& at_check = ":") const {
    folder_.file("worker", R"(#!/bin/sh
echo ')" + tuning::greeting().dump() +
                               R"('
while read -r request; do
  runs='[0.001]'
  case $request in
    *'"open"'*) continue ;;
    *'"build"'*) echo '{"step":"building"}'; sleep )" +
                               std::to_string(seconds) + R"(; runs='[]' ;;
    *'"check"'*) )" + at_check +
                               R"(; runs='[]' ;;
  esac
  kernel=${request#*\"kernel\":}
  printf '{"trial":{"kernel":%s,"outcome":"ok","reason":"","runs":%s,' "${kernel%%\}\}*}}}" "$runs"
  printf '"build":1,"check":1,"timing":1}}\n'
done
)");
    fs::permissions(folder_.at("worker"), fs::perms::owner_all);
    return test::Variable("TESSERA_WORKER", folder_.at("worker"));
  }
};

TEST_F(TuneWorkerTest, AWorkerThatIsNotThereIsAnError) {
  ::setenv("TESSERA_WORKER", folder_.at("nothing").c_str(), 1);
  EXPECT_THROW(tune(engine(), problem_), Error);
  ::setenv("TESSERA_WORKER", "/bin/false", 1);
  EXPECT_THROW(tune(engine(), problem_), Error);
  ::unsetenv("TESSERA_WORKER");
}

/// The right one, by a path that is another program's in another folder.
TEST_F(TuneWorkerTest, AWorkerByARelativePathIsRefused) {
  const std::string relative = fs::proximate(runtime::worker_program()).string();
  ASSERT_TRUE(fs::path(relative).is_relative() && fs::exists(relative)) << relative;
  const test::Variable worker("TESSERA_WORKER", relative);
  try {
    tune(engine(), problem_);
    ADD_FAILURE() << relative << " was used";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("is not an absolute path"), std::string::npos)
        << error.what();
  }
}

TEST_F(TuneWorkerTest, AWorkerOfAnotherVersionIsRefusedByName) {
  const std::string worker = folder_.at("worker");
  folder_.file("worker", "#!/bin/sh\necho '{\"tessera\":\"0.0.1\"}'\nsleep 5\n");
  fs::permissions(worker, fs::perms::owner_all);
  ::setenv("TESSERA_WORKER", worker.c_str(), 1);
  try {
    tune(engine(), problem_);
    ADD_FAILURE() << "it was used";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(worker), std::string::npos) << error.what();
  }
  ::unsetenv("TESSERA_WORKER");
}

TEST_F(TuneWorkerTest, ATunerThatWasSuspendedDoesNotBlameTheKernel) {
  const test::Variable worker = works(3.8);
  const std::string self = std::to_string(::getpid());
  ASSERT_EQ(std::system(("(sleep 0.5; kill -STOP " + self + "; sleep 3; kill -CONT " + self +
                         ") > /dev/null 2>&1 &")
                            .c_str()),
            0);
  tuning::Policy policy = test::few_rounds();
  policy.min_build_limit = policy.max_build_limit = 2;
  options_.max_evaluations = 1;
  const TuneResult result = tuning::tune(engine(), problem_, options_, policy, tuning::Clock());
  ASSERT_EQ(result.trials.size(), 1U);
  EXPECT_EQ(result.trials[0].outcome, Outcome::ok) << result.trials[0].reason;
}

TEST_F(TuneWorkerTest, AfterACheckThatDoesNotEndTheNextKernelIsChecked) {
  const test::Variable worker =
      works(0, R"([ -e "$0.hung" ] || { : > "$0.hung"; exec sleep 100; })");
  tuning::Policy policy = test::few_rounds();
  policy.last_check_limit = 1;
  options_.max_evaluations = 2;
  const TuneResult result = tuning::tune(engine(), problem_, options_, policy, tuning::Clock());
  EXPECT_TRUE(result.checked.ends_with(" was left out: the check did not end")) << result.checked;
  EXPECT_EQ(result.checked.find(';'), std::string::npos) << result.checked;
  EXPECT_EQ(result.finalists.size(), 1U);
}

TEST_F(TuneWorkerTest, AFullDiskIsToldWithTheResult) {
  std::optional<test::FileSizeLimit> full;
  options_.save = false;
  options_.max_evaluations = 2;
  options_.progress = [&](const TuneProgress& progress) {
    if (progress.last != nullptr && !full) full.emplace(fs::file_size(options_.journal));
  };
  const TuneResult result = tune(engine(), problem_);
  full.reset();
  EXPECT_FALSE(result.finalists.empty());
  EXPECT_NE(result.conclusion.find("the journal is not complete"), std::string::npos)
      << result.conclusion;
}

/// Three seconds pass between two readings of it, as if the process had been suspended there.
class JumpingClock : public tuning::Clock {
 public:
  explicit JumpingClock(long at) : at_(at) {}
  double now() const override { return Clock::now() + (readings_++ >= at_ ? 3 : 0); }
  long readings() const { return readings_; }

 private:
  long at_;
  mutable long readings_ = 0;
};

TEST_F(TuneWorkerTest, ATunerCanBeSuspendedAnywhere) {
  const test::Variable worker = works(0.02);
  tuning::Policy policy = test::few_rounds();
  policy.min_build_limit = policy.max_build_limit = policy.min_run_limit = 2;
  options_.max_evaluations = 1;
  long at = 0;
  for (bool jumped = true; jumped && at < 60; at++) {
    options_.journal = folder_.at("journal-" + std::to_string(at));
    const JumpingClock clock(at);
    const TuneResult result = tuning::tune(engine(), problem_, options_, policy, clock);
    ASSERT_EQ(result.trials.size(), 1U) << at;
    EXPECT_EQ(result.trials[0].outcome, Outcome::ok) << at << ": " << result.trials[0].reason;
    jumped = clock.readings() > at;
  }
  EXPECT_GT(at, 10);
}

TEST_F(TuneWorkerTest, AnAnswerThatDoesNotFitTheRequestIsNoTrial) {
  const auto trial = [](const std::string& kernel, const std::string& runs) {
    return "{\"trial\":{\"kernel\":" + kernel +
           ",\"outcome\":\"ok\",\"reason\":\"\",\"runs\":" + runs +
           ",\"build\":1,\"check\":1,\"timing\":1}}\n";
  };
  const std::string asked = "'\"$kernel\"'", other = R"({"variant":"naive","parameters":{}})",
                    worker = folder_.at("worker");
  for (const std::string& answer :
       {trial(asked, "[]") + trial(asked, "[]"), trial(asked, "[0.001]"), trial(other, "[]"),
        trial(asked, std::string(200000, '[') + std::string(200000, ']')), trial(asked, "[0]"),
        std::string("{}\n"), std::string("no JSON\n")}) {
    folder_.file("worker", "#!/bin/sh\necho '" + tuning::greeting().dump() +
                               "'\nread -r open; read -r request\n"
                               "kernel=${request#*\\\"kernel\\\":}\nkernel=${kernel%%\\}\\}*}}}\n"
                               "printf '%s' '" +
                               answer + "'\nread -r more\n");
    fs::permissions(worker, fs::perms::owner_all);
    const test::Variable named("TESSERA_WORKER", worker);
    try {
      tune(engine(), problem_);
      ADD_FAILURE() << "it was taken: " << answer;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("a worker fails"), std::string::npos)
          << error.what();
    }
    fs::remove(options_.journal);
  }
}

// A program that is found through PATH is known to the loader by its name alone.
TEST_F(TuneWorkerTest, NoWorkerIsTakenFromTheCurrentFolder) {
  constexpr const char* kFoundThroughPath = "TESSERA_TEST_FOUND_THROUGH_PATH";
  if (std::getenv(kFoundThroughPath) != nullptr) {
    EXPECT_TRUE(runtime::worker_program().is_absolute());
    return;
  }
  folder_.file("tessera/tessera-worker", "");
  const fs::path self = fs::canonical("/proc/self/exe");
  const std::string command = "cd '" + folder_.path().string() + "' && " + kFoundThroughPath +
                              "=1 PATH='" + self.parent_path().string() + "' " +
                              self.filename().string() +
                              " --gtest_filter='*NoWorkerIsTakenFromTheCurrentFolder' > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace tessera
