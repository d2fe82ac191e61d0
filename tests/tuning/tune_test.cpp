// Tuning for real, on the device of the tests: kernels that hang, crash, are wrong or do not build
// among those that are right.
#include "tessera/tune.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "operations.hpp"
#include "support/device.hpp"
#include "support/share.hpp"
#include "tessera/error.hpp"
#include "tessera/multiply.hpp"
#include "tuning/journal.hpp"
#include "tuning/tune.hpp"
#include "tuning/tune_fixture.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using tuning::WorkerStep;

class TuneTest : public test::TuneFixture {
 protected:
  void TearDown() override { ::unsetenv("TESSERA_KERNEL_DIR"); }

  /// A kernel file that takes the place of the library's.
  void replace(const std::string& name, const std::string& body) const {
    folder_.file("cl/multiply/" + name + ".cl",
                 "#include \"common/product.cl\"\nkernel void multiply_" + name +
                     "(const Shape shape, const number alpha, const number beta,\n"
                     "    global const element* restrict a, const Layout a_at,\n"
                     "    global const element* restrict b, const Layout b_at,\n"
                     "    global element* restrict c, const Layout c_at) {\n" +
                     body + "\n}\n");
    ::setenv("TESSERA_KERNEL_DIR", folder_.at("cl").c_str(), 1);
  }
  static std::map<Outcome, int> counts(const TuneResult& result) {
    std::map<Outcome, int> all;
    for (const Trial& trial : result.trials) all[trial.outcome]++;
    return all;
  }

  /// Configurations of naive with 8 columns, and the default.
  static constexpr std::size_t kSpace = 5;
};

TEST_F(TuneTest, TriesAllOfASmallSpaceAndKeepsToTheRules) {
  options_.builders = 2;
  std::size_t told = 0;
  options_.progress = [&](const TuneProgress& progress) { told += progress.last != nullptr; };
  const TuneResult result = tune(engine(), problem_);
  // The default of the device is among them too.
  EXPECT_EQ(result.space, kSpace);
  EXPECT_EQ(result.trials.size(), result.space);
  EXPECT_EQ(told, result.space);
  for (const Trial& trial : result.trials) {
    // Work-groups can be too large for a kernel, once that is built.
    EXPECT_TRUE(trial.good() || trial.outcome == Outcome::resources)
        << to_string(trial.outcome) << ": " << trial.reason;
    EXPECT_GT(trial.seconds(), 0);
  }
  ASSERT_FALSE(result.finalists.empty());
  EXPECT_EQ(result.finalists.front().kernel, result.best);
  EXPECT_EQ(result.saved.has_value(), fs::exists(file()));
  EXPECT_NE(result.conclusion, "");
}

TEST_F(TuneTest, WhatWasTriedIsNotTriedAgain) {
  options_.max_evaluations = 2;
  EXPECT_EQ(tune(engine(), problem_).trials.size(), 2U);
  options_.max_evaluations = 100;
  const auto trials = tune(engine(), problem_).trials;
  std::set<std::pair<std::string, Parameters>> kernels;
  for (const Trial& trial : trials) {
    EXPECT_TRUE(kernels.emplace(trial.kernel.variant, trial.kernel.parameters).second);
  }
  EXPECT_EQ(trials.size(), kSpace);
  EXPECT_EQ(std::ranges::count(trials, true, &Trial::from_journal), 2);
}

TEST_F(TuneTest, WhatHadLessTimeToBuildIsTriedAgain) {
  const KernelChoice hasty{"naive", {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", 4}}},
      patient{"naive", {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", 8}}};
  {
    tuning::Journal journal(options_.journal, find_operation("multiply"), tuning::kPolicy, false);
    for (const auto& [kernel, limit] : {std::pair(hasty, 0.1), std::pair(patient, 1000.0)})
      journal.ended({.kernel = kernel, .outcome = Outcome::build_timeout, .build = limit});
  }
  const auto trials = tune(engine(), problem_).trials;
  EXPECT_EQ(trials.size(), kSpace);
  for (const Trial& trial : trials) {
    EXPECT_EQ(trial.outcome == Outcome::build_timeout, trial.kernel == patient)
        << to_string(trial.outcome);
  }
}

TEST_F(TuneTest, TheWinnerIsUsedAtOnceAndByEnginesMadeLater) {
  // Far from any profile that is shipped.
  problem_ = {.m = 40, .n = 40, .k = 40};
  const Engine tuned = engine();
  options_.parameters = {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", 8}};
  const TuneResult result = tune(tuned, problem_);
  ASSERT_FALSE(result.finalists.empty()) << result.conclusion;
  // If nothing was faster than the default, nothing is saved, and the default stays in use.
  const KernelChoice& wanted = result.saved ? result.best : result.default_kernel;
  for (const Engine& user : {tuned, engine()}) {
    const Matrix<float> a(user, 40, 40, std::vector<float>(1600, 1));
    const KernelRun ran = multiply(a, a).ran;
    EXPECT_EQ(ran.variant(), wanted.variant);
    EXPECT_EQ(ran.parameters(), wanted.parameters);
    EXPECT_EQ(ran.reason() == "tuned for multiply float 40 x 40 x 40", result.saved.has_value())
        << ran.reason();
  }
}

TEST_F(TuneTest, KernelsThatFailAreRowsWithAReason) {
  replace("naive", "while (((volatile global uint*)c)[0] != 12345u) {}");
  replace("row_tile",
          "const ulong i = get_global_id(1), j = get_global_id(0);\n"
          "if (i < shape.m && j < shape.n) update(c, c_at, i, j, alpha, (number)1, beta);");
  replace("tiled_static", "*(volatile global int*)(ulong)8 = 1;");
  replace("tiled_dynamic", "this is no OpenCL C;");
  // On a CPU the launch in which it compiles never ends, on other devices a later one.
  clock_.never_ends("naive", WorkerStep::first_run);
  clock_.never_ends("naive", WorkerStep::running);
  options_.variant.clear();
  options_.parameters.clear();
  // The default, a profile's, and what variants prefer, these four first.
  options_.max_evaluations = 6;
  const TuneResult result = tune(engine(), problem_);
  std::map<std::string, std::set<Outcome>> of;
  for (const Trial& trial : result.trials) {
    of[trial.kernel.variant].insert(trial.outcome);
    EXPECT_TRUE(trial.good() || !trial.reason.empty());
  }
  EXPECT_EQ(of["naive"], std::set{Outcome::run_timeout});
  EXPECT_EQ(of["row_tile"], std::set{Outcome::wrong});
  // A CPU takes the process away; a GPU's driver says that the device is lost, or that it could
  // not.
  EXPECT_FALSE(of["tiled_static"].empty());
  for (const Outcome outcome : of["tiled_static"])
    EXPECT_TRUE(outcome == Outcome::crashed || outcome == Outcome::resources) << to_string(outcome);
  EXPECT_EQ(of["tiled_dynamic"], std::set{Outcome::build_failed});
  EXPECT_GT(counts(result)[Outcome::ok], 0);
  ASSERT_FALSE(result.finalists.empty());
}

TEST_F(TuneTest, AKernelThatDoesNotEndBuildingIsStopped) {
  const std::string pipe = folder_.at("never");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  replace("naive", "\n#include \"" + pipe + "\"\n");
  clock_.never_ends("naive", WorkerStep::building);
  options_.max_evaluations = 2;
  const TuneResult result = tune(engine(), problem_);
  const auto trial = std::ranges::find(result.trials, std::string("naive"),
                                       [](const Trial& a) { return a.kernel.variant; });
  ASSERT_NE(trial, result.trials.end());
  EXPECT_EQ(trial->outcome, Outcome::build_timeout) << trial->reason;
}

TEST_F(TuneTest, WhatTheHostTakesToPrepareIsNoKernelsFault) {
  clock_.never_ends("", WorkerStep::preparing);
  try {
    tune(engine(), problem_);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("preparing operands: stopped after 60 s"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(tuning::Journal(options_.journal, find_operation("multiply"), tuning::kPolicy, false)
                  .trials()
                  .empty());
}

TEST_F(TuneTest, ALimitIsNamedByItsStep) {
  clock_.never_ends("naive", WorkerStep::running);
  options_.budget = 60;
  for (const Trial& trial : tune(engine(), problem_).trials) {
    if (trial.kernel.variant != "naive" || trial.outcome == Outcome::resources) continue;
    EXPECT_EQ(trial.outcome, Outcome::run_timeout);
    EXPECT_TRUE(trial.reason == "stopped after 10 s of running" ||
                trial.reason == "stopped after 2 s of running")
        << trial.reason;
  }
}

TEST_F(TuneTest, CancellingEndsTheSearchWithTheBestSoFar) {
  const CancelSource source;
  options_.cancel = source.token();
  options_.progress = [&](const TuneProgress& progress) {
    if (progress.best != nullptr) source.cancel();
  };
  const TuneResult result = tune(engine(), problem_);
  EXPECT_LT(result.trials.size(), kSpace);
  EXPECT_FALSE(result.finalists.empty());
}

TEST_F(TuneTest, EveryOperationCanBeTuned) {
  options_.variant.clear();
  options_.parameters.clear();
  options_.max_evaluations = 2;
  std::vector<OperationInfo> others = operations();
  std::erase_if(others,
                [](const OperationInfo& operation) { return operation.name == "multiply"; });
  for (const OperationInfo& operation : test::share_of(others)) {
    options_.journal = folder_.at(operation.name);
    const Problem problem{.operation = operation.name, .m = 96, .n = 96};
    if (!operation.variants.front().runs_on(test::engine(), problem.types)) continue;
    const TuneResult result = tune(engine(), problem);
    EXPECT_FALSE(result.trials.empty()) << operation.name;
    for (const Trial& trial : result.trials)
      EXPECT_TRUE(trial.good()) << operation.name << ": " << trial.kernel.variant << ": "
                                << trial.reason;
  }
}

TEST_F(TuneTest, WhatDoesNotExistIsNamed) {
  const Engine engine = this->engine();
  EXPECT_THROW(tune(engine, {.operation = "subtract"}), ArgumentError);
  options_.variant = "no_such";
  EXPECT_THROW(tune(engine, problem_), ArgumentError);
  options_.variant = "naive";
  options_.parameters = {{"TILE", 3}};
  EXPECT_THROW(tune(engine, problem_), ArgumentError);
  options_.variant.clear();
  EXPECT_THROW(tune(engine, problem_), ArgumentError);
}

TEST_F(TuneTest, WhatWouldMeasureAnotherProblemIsRefused) {
  const Engine engine = this->engine();
  for (const auto& change : std::vector<std::function<void(Problem&)>>{
           [](Problem& problem) { problem.beta = 1; }, [](Problem& problem) { problem.alpha = 2; },
           [](Problem& problem) { problem.leading_dimensions.b = 100; },
           [](Problem& problem) { problem.mode.accumulator = Accumulator::compensated; }}) {
    Problem problem = problem_;
    change(problem);
    EXPECT_THROW(tune(engine, problem), ArgumentError);
  }
}

TEST_F(TuneTest, AWinnerThatCannotBeSavedIsNotLost) {
  ProfileEntry entry;
  entry.problem = problem_;
  entry.kernel.variant = "naive";
  const std::string blocked = folder_.file("a file", "") + "/profile.jsonl";
  const std::string conclusion = tuning::append_winner(folder_.at(blocked), entry);
  EXPECT_NE(conclusion.find("not saved: "), std::string::npos) << conclusion;
  EXPECT_EQ(tuning::append_winner(file(), entry), "saved in " + file());
  EXPECT_EQ(read_profile(file()).size(), 1U);
}

TEST_F(TuneTest, WhatDoesNotFitOnTheDeviceIsAnErrorAtOnce) {
  const auto elements = static_cast<double>(test::engine().memory().capacity);
  const auto size = static_cast<std::size_t>(std::sqrt(elements));
  problem_ = {.m = size, .n = size, .k = size};
  EXPECT_THROW(tune(engine(), problem_), MemoryError);
  EXPECT_FALSE(fs::exists(options_.journal)) << "nothing was tried";
}

}  // namespace
}  // namespace tessera
