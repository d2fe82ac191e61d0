// tessera cache, as a user runs it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

class CacheCommandTest : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) {
    return run_command(arguments, folder_.path(), "TESSERA_CACHE=" + folder_.at("kept"));
  }
  Folder folder_;
};

TEST_F(CacheCommandTest, ShowsAndClearsWhatProductsLeft) {
  EXPECT_EQ(Json::parse(run("cache show --json").output).at("programs"), 0);
  ASSERT_EQ(run("multiply random:8x8 random:8x8 -o c.npy").status, 0);
  const Json kept = Json::parse(run("cache show --json").output);
  EXPECT_EQ(kept.at("folder"), folder_.at("kept"));
  EXPECT_GT(kept.at("programs"), 0);
  EXPECT_GT(kept.at("bytes"), 0);
  EXPECT_EQ(kept.at("limit"), 256 << 20);
  EXPECT_EQ(run("cache show").output.substr(0, folder_.at("kept").size()), folder_.at("kept"));
  const Json removed = Json::parse(run("cache clear --json").output);
  EXPECT_EQ(removed.at("programs"), kept.at("programs"));
  EXPECT_EQ(removed.at("bytes"), kept.at("bytes"));
  EXPECT_EQ(Json::parse(run("cache show --json").output).at("programs"), 0);
  EXPECT_EQ(run("cache clear").output, "removed 0 programs, 0.0 MiB\n");
}

TEST_F(CacheCommandTest, ADamagedProgramIsBuiltAgainAndTheLogSaysSo) {
  const std::string product = "multiply ones:3x4 ones:4x2";
  const Outcome before = run(product);
  ASSERT_EQ(before.status, 0) << before.errors;
  long damaged = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.at("kept"))) {
    std::filesystem::resize_file(entry.path(), entry.file_size() - 1);
    damaged++;
  }
  ASSERT_GT(damaged, 0);
  const Outcome after =
      run_command(product, folder_.path(), "TESSERA_LOG=info TESSERA_CACHE=" + folder_.at("kept"));
  EXPECT_EQ(after.status, 0) << after.errors;
  EXPECT_NE(after.output.find("            4            4\n"), std::string::npos) << after.output;
  EXPECT_NE(after.errors.find(".bin is not used: it is damaged"), std::string::npos)
      << after.errors;
}

TEST_F(CacheCommandTest, SaysWhereThereIsNone) {
  const Outcome off = run_command("cache show", folder_.path(), "TESSERA_CACHE=off");
  EXPECT_EQ(off.output, "TESSERA_CACHE is off: nothing is kept\n");
  EXPECT_EQ(run("cache").status, 2);
  EXPECT_EQ(run("cache burn").status, 2);
}

}  // namespace
}  // namespace tessera::test
