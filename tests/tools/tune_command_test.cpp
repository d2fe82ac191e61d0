// tessera tune, as a user runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"
#include "support/folder.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

class TuneCommandTest : public testing::Test {
 protected:
  /// Runs the tuner with the journal and the profile in the test's own folder.
  Outcome run(const std::string& arguments, const std::string& more = "") const {
    return run_command(
        arguments, folder_.path(),
        "XDG_STATE_HOME=" + folder_.path().string() + " TESSERA_PROFILE=" + profile() + " " + more);
  }
  std::string profile() const { return (folder_.path() / "tuned.jsonl").string(); }

  Folder folder_;
};

TEST_F(TuneCommandTest, WritesEveryFileAndGoesOnWhereItWas) {
  // A budget that no load of the machine uses up: it ends when all has been tried.
  const std::string command =
      "tune multiply --variant naive --set GROUP_COLUMNS=8 --size 32x48x64 --budget 10m --json "
      "--report 'r 1.html' --t4 t.json --kernel-tuner-cache c.json";
  const Outcome first = run(command + " --max-evaluations 2");
  ASSERT_EQ(first.status, 0) << first.errors;
  const Json problem = Json::parse(first.output).at("problems").at(0);
  EXPECT_EQ(problem.at("problem").at("op"), "multiply");
  EXPECT_EQ(problem.at("tried"), 2);
  EXPECT_EQ(problem.at("space"), 5);
  EXPECT_EQ(Json::parse(folder_.content("t.json")).at("results").size(), 2U);
  EXPECT_EQ(Json::parse(folder_.content("c.json")).at("cache").size(), 2U);
  const std::string report = folder_.content("r 1.html");
  EXPECT_NE(report.find("\"command\":\"tessera tune multiply --variant naive "), std::string::npos);
  EXPECT_NE(report.find("--report 'r 1.html' --t4 t.json"), std::string::npos);
  EXPECT_NE(report.find("\"budget\":600.0,"), std::string::npos);
  EXPECT_NE(report.find("\"tried\":2,"), std::string::npos);

  const Outcome second = run(command);
  ASSERT_EQ(second.status, 0) << second.errors;
  const Json whole = Json::parse(second.output).at("problems").at(0);
  EXPECT_EQ(whole.at("tried"), 5);

  const Outcome again = run("tune --replay c.json --json");
  ASSERT_EQ(again.status, 0) << again.errors;
  const Json replayed = Json::parse(again.output).at("problems").at(0);
  EXPECT_EQ(replayed.at("tried"), 5);
  EXPECT_EQ(replayed.at("default").at("kernel"), whole.at("default").at("kernel"));
}

TEST_F(TuneCommandTest, TunesForResultsOfAnotherType) {
  const Outcome outcome =
      run("tune multiply --size 16 --variant naive --set GROUP_COLUMNS=8 --dtype half --out-dtype "
          "float --max-evaluations 1 --budget 10m --kernel-tuner-cache c.json --json");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const Json problem = Json::parse(outcome.output).at("problems").at(0).at("problem");
  EXPECT_EQ(problem.at("dtype"), "half");
  EXPECT_EQ(problem.at("out_dtype"), "float");
  const Outcome replayed = run("tune --replay c.json");
  EXPECT_NE(replayed.output.find("half -> float"), std::string::npos) << replayed.output;
}

TEST_F(TuneCommandTest, AnOutputThatFailsTakesNoOtherWithIt) {
  const Outcome outcome =
      run("tune multiply --size 16 --variant naive --max-evaluations 2 --budget 10m --json "
          "--report /dev/full --t4 t.json --kernel-tuner-cache c.json");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(
      outcome.errors.ends_with("tessera: /dev/full: cannot be written: No space left on device\n"))
      << outcome.errors;
  EXPECT_EQ(Json::parse(outcome.output).at("problems").at(0).at("tried"), 2);
  EXPECT_EQ(Json::parse(folder_.content("t.json")).at("results").size(), 2U);
  EXPECT_EQ(Json::parse(folder_.content("c.json")).at("cache").size(), 2U);

  const Outcome replayed = run("tune --replay c.json --json --report /dev/full --t4 /dev/full");
  EXPECT_EQ(replayed.status, 2);
  EXPECT_EQ(std::count(replayed.errors.begin(), replayed.errors.end(), '\n'), 1) << replayed.errors;
  EXPECT_EQ(Json::parse(replayed.output).at("problems").size(), 1U);
}

TEST_F(TuneCommandTest, AnErrorLeavesWhatWasTunedBefore) {
  const std::string command =
      "tune multiply --variant naive --max-evaluations 2 --budget 10m --json --report r.html "
      "--t4 t.json --kernel-tuner-cache c.json --size ";
  const std::string too_large = "1000000x1000000x16";
  const Outcome outcome = run(command + "16 --size " + too_large);
  EXPECT_EQ(outcome.status, 4);
  EXPECT_NE(outcome.errors.find("tessera: a matrix of "), std::string::npos) << outcome.errors;
  const Json problems = Json::parse(outcome.output).at("problems");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems.at(0).at("tried"), 2);
  EXPECT_EQ(Json::parse(folder_.content("t.json")).at("results").size(), 2U);
  EXPECT_EQ(Json::parse(folder_.content("c.json")).at("cache").size(), 2U);
  const std::string report = folder_.content("r.html");
  EXPECT_NE(report.find("\"tried\":2,"), std::string::npos);

  const Outcome nothing = run(command + too_large);
  EXPECT_EQ(nothing.status, 4);
  EXPECT_EQ(nothing.output, "");
  EXPECT_EQ(folder_.content("r.html"), report) << "an empty one did not take its place";
}

TEST_F(TuneCommandTest, ABudgetThatIsTooShortIsStatusOneAndNamesTheBudget) {
  const Outcome outcome =
      run("tune multiply --variant naive --size 5000 --dtype double --budget 1s --json");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_TRUE(outcome.errors.ends_with(
      "tessera: no finals for 1 of 1 problem within 1 s; a longer --budget may help\n"))
      << outcome.errors;
  EXPECT_EQ(Json::parse(outcome.output).at("problems").at(0).at("saved"), false);
}

TEST_F(TuneCommandTest, GoesOnWithoutAPlaceForItsJournal) {
  const std::string command =
      "tune multiply --size 16 --variant naive --max-evaluations 1 "
      "--budget 10m --dry-run --json";
  const Outcome outcome = run(command, "XDG_STATE_HOME=/dev/null/state");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("/dev/null/state/tessera/tuning"), std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("Not a directory; set XDG_STATE_HOME"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(Json::parse(outcome.output).at("problems").at(0).at("tried"), 1);
  const Outcome homeless = run(command, "XDG_STATE_HOME= HOME=");
  EXPECT_EQ(homeless.status, 0) << homeless.errors;
  EXPECT_NE(homeless.errors.find("set XDG_STATE_HOME"), std::string::npos) << homeless.errors;
}

TEST_F(TuneCommandTest, SeveralProblemsEndInASummary) {
  const Outcome outcome =
      run("tune multiply --size 16 --size 8x12x4 --variant naive --max-evaluations 1 --budget 10m");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto summary = outcome.output.rfind("\nproblem ");
  ASSERT_NE(summary, std::string::npos) << outcome.output;
  const std::string table = outcome.output.substr(summary + 1);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3) << table;
  EXPECT_NE(table.find("\nmultiply float 8 x 12 x 4 "), std::string::npos) << table;
}

TEST_F(TuneCommandTest, BadUsageIsOneLine) {
  folder_.file("bad.json", "{");
  for (const char* arguments :
       {"tune subtract", "tune multiply --size 0", "tune multiply --size 3x",
        "tune implicit_round --size 3x4", "tune multiply --budget soon",
        "tune multiply --budget -1", "tune multiply --quick --thorough",
        "tune multiply --size 64 --batch 0", "tune multiply --strategy luck",
        "tune multiply --size 64 --variant none", "tune multiply --size 64 --set TILE=16",
        "tune multiply --size 64 --variant naive --set X=1", "tune --replay missing.json",
        "tune --replay bad.json", "tune --report /none/r.html", "profile",
        "profile import missing.jsonl", "profile import bad.json"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.output, "") << arguments;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1)
        << arguments << ": " << outcome.errors;
  }
}

}  // namespace
}  // namespace tessera::test
