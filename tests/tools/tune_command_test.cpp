// tessera tune and tessera profile, as a user runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "kernels/plan.hpp"
#include "kernels/profile.hpp"
#include "multiply/table.hpp"
#include "run_command.hpp"
#include "support/device.hpp"
#include "tessera/profile.hpp"

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
  /// `naive` for 64 x 64 x 64 on the tests' device.
  ProfileEntry entry() const {
    const DeviceInfo& device = engine().device();
    const auto& operation = multiplication::multiply_table().operation();
    return {.problem = {.m = 64, .n = 64, .k = 64},
            .kernel = {"naive", {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", 4}}},
            .observations = {{.m = 64, .n = 64, .k = 64, .ratio = 0.5},
                             {.m = 48, .n = 48, .k = 48, .ratio = 0.6},
                             {.m = 96, .n = 96, .k = 96, .op_b = Op::transpose, .ratio = 0.75}},
            .seconds = 1,
            .default_seconds = 2,
            .platform = device.platform,
            .device = device.name,
            .driver = device.driver,
            .source = kernels::source_hash(kernels::find_variant(operation, "naive")),
            .version = "0",
            .when = "2026-01-02T03:04:05Z"};
  }

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

TEST_F(TuneCommandTest, AProgramStartedAfterwardsUsesTheProfile) {
  append_profile(profile(), std::vector{entry()});
  for (const auto& [sizes, expected] :
       {std::pair("random:64x64 random:64x64", ")"),
        {"random:50x90 random:90x70", ", 0.56 of the default's time expected here)"}}) {
    const Outcome outcome = run(std::string("multiply ") + sizes, "TESSERA_LOG=info");
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.errors.find("naive GROUP_COLUMNS=8 GROUP_ROWS=4 (tuned for multiply float 64 "
                                  "x 64 x 64" +
                                  std::string(expected)),
              std::string::npos)
        << outcome.errors;
  }
  ProfileEntry stale = entry();
  stale.driver = "0";
  run("profile remove");
  append_profile(profile(), std::vector{stale});
  const Outcome outcome = run("multiply random:64x64 random:64x64", "TESSERA_LOG=info");
  EXPECT_NE(outcome.errors.find("is stale, the driver was 0"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("(tuned for"), std::string::npos) << outcome.errors;
}

TEST_F(TuneCommandTest, AProfileDoesNotControlTheTerminal) {
  ProfileEntry hostile = entry();
  // U+009B does what ESC and [ do; Ü ends in the byte of such a control, and is none.
  hostile.driver = hostile.when = "\x1b[2J\u009b31mÜ";
  const std::string escaped = "\\x1b[2J\\x9b31mÜ";
  const auto expect_harmless = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\u009b"), std::string::npos);
  };
  append_profile(profile(), std::vector{hostile});
  expect_harmless(run("profile show").output, escaped);
  expect_harmless(run("multiply random:64x64 random:64x64", "TESSERA_LOG=info").errors,
                  "the driver was ?[2J??31mÜ");

  append_profile(folder_.path() / "hostile.jsonl", std::vector{hostile});
  const Outcome refused = run("profile import hostile.jsonl");
  EXPECT_EQ(refused.status, 2);
  expect_harmless(refused.errors, "no usable entries: the driver was " + escaped);
  append_profile(folder_.path() / "mixed.jsonl", std::vector{entry(), hostile});
  const Outcome imported = run("profile import mixed.jsonl");
  EXPECT_EQ(imported.status, 0) << imported.errors;
  expect_harmless(imported.output, "imported 1, skipped 1: the driver was " + escaped);
}

TEST_F(TuneCommandTest, AnEntryOfAnotherVersionDoesNotHideTheOthers) {
  ProfileEntry operation = entry(), variant = entry(), parameter = entry();
  operation.problem.operation = "\x1b[2Jnew";
  variant.kernel.variant = "\x1b[3Jnewer";
  parameter.kernel.parameters["\x1b[4JNEWEST"] = 1;
  append_profile(profile(), std::vector{operation, variant, parameter, entry()});
  const Outcome shown = run("profile show");
  EXPECT_EQ(shown.status, 0) << shown.errors;
  for (const char* name : {"\\x1b[2Jnew", "\\x1b[3Jnewer", "\\x1b[4JNEWEST"})
    EXPECT_NE(shown.output.find(name), std::string::npos) << shown.output;
  EXPECT_EQ(shown.output.find('\x1b'), std::string::npos);
  EXPECT_NE(shown.output.find("tuned 2026-01-02"), std::string::npos) << shown.output;
  const Json listed = Json::parse(run("profile show --json").output).at("entries");
  EXPECT_EQ(
      std::ranges::count_if(listed, [](const Json& one) { return one.at("state") != "shipped"; }),
      4);
  for (const ProfileEntry& only : {variant, parameter}) {
    run("profile remove");
    append_profile(profile(), std::vector{only});
    const Outcome product = run("multiply random:64x64 random:64x64");
    EXPECT_EQ(product.status, 0) << product.errors;
  }
}

TEST_F(TuneCommandTest, JsonIsUtf8WhateverAPathIs) {
  const Json odd = Json::parse(run("profile where --json", "TESSERA_PROFILE='x\xff.jsonl'").output);
  EXPECT_EQ(odd.at("file"), "x\xEF\xBF\xBD.jsonl");  // what is not UTF-8 is replaced
}

TEST_F(TuneCommandTest, ProfilesMove) {
  EXPECT_EQ(run("profile where").output, profile() + "\n");
  EXPECT_EQ(run("profile export x.jsonl").status, 2);
  append_profile(profile(), std::vector{entry()});
  const std::string shown = run("profile show").output;
  EXPECT_NE(shown.find("naive GROUP_COLUMNS=8 GROUP_ROWS=4"), std::string::npos);
  EXPECT_NE(shown.find("2 x the default; 0.60 to 0.75 of the default's time on 2 problems nearby; "
                       "tuned 2026-01-02"),
            std::string::npos)
      << shown;
  const Json listed = Json::parse(run("profile show --json").output).at("entries").at(0);
  EXPECT_EQ(listed.at("observations").at(2).at("m"), 96);
  EXPECT_EQ(listed.at("observations").at(2).at("op_b"), "transpose");
  EXPECT_EQ(listed.at("observations").at(2).at("ratio"), 0.75);
  EXPECT_FALSE(listed.at("observations").at(1).contains("op_b"));
  ASSERT_EQ(run("profile export x.jsonl").status, 0);
  EXPECT_EQ(folder_.content("x.jsonl"), folder_.content("tuned.jsonl"));
  EXPECT_EQ(run("profile remove").status, 0);
  const Json none = Json::parse(run("profile show --json").output);
  EXPECT_EQ(run("profile import x.jsonl").status, 0);
  EXPECT_EQ(Json::parse(run("profile show --json").output).at("entries").size(),
            none.at("entries").size() + 1);

  ProfileEntry other = entry();
  other.device = "another";
  append_profile(folder_.path() / "other.jsonl", std::vector{other});
  const Outcome refused = run("profile import other.jsonl");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.errors.find("it is for another"), std::string::npos) << refused.errors;
  EXPECT_EQ(run("profile show", "TESSERA_PROFILE=off").status, 0);
  EXPECT_EQ(run("profile where", "TESSERA_PROFILE=off").status, 2);
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
