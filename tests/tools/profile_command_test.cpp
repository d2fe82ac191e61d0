// tessera profile, and programs that use a profile, as a user runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kernels/profile.hpp"
#include "multiply/table.hpp"
#include "run_command.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "tessera/profile.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

class ProfileCommandTest : public testing::Test {
 protected:
  /// Runs the command with the profile in the test's own folder.
  Outcome run(const std::string& arguments, const std::string& more = "") const {
    return run_command(arguments, folder_.path(), "TESSERA_PROFILE=" + profile() + " " + more);
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

TEST_F(ProfileCommandTest, AProgramStartedAfterwardsUsesTheProfile) {
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

TEST_F(ProfileCommandTest, AProfileDoesNotControlTheTerminal) {
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

TEST_F(ProfileCommandTest, AnEntryOfAnotherVersionDoesNotHideTheOthers) {
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

TEST_F(ProfileCommandTest, JsonIsUtf8WhateverAPathIs) {
  const Json odd = Json::parse(run("profile where --json", "TESSERA_PROFILE='x\xff.jsonl'").output);
  EXPECT_EQ(odd.at("file"), "x\xEF\xBF\xBD.jsonl");  // what is not UTF-8 is replaced
}

TEST_F(ProfileCommandTest, ProfilesMove) {
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

}  // namespace
}  // namespace tessera::test
