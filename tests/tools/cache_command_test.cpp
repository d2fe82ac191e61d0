// tessera cache, as a user runs it.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run_command.hpp"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kNotOwn =
    "not a plain file of this user in a folder that no other user can write\n";

class CacheCommandTest : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) {
    return run_command(arguments, folder_.path(), "TESSERA_CACHE=" + folder_.at("kept"));
  }
  /// A product whose programs `change` has altered in the cache: it builds them again, and the log
  /// has the reason for each.
  void expect_rebuilt(const std::function<void(const fs::path&)>& change, const char* reason) {
    const std::string product = "multiply ones:3x4 ones:4x2";
    const Outcome before = run(product);
    ASSERT_EQ(before.status, 0) << before.errors;
    std::vector<fs::path> programs;
    for (const auto& entry : fs::directory_iterator(folder_.at("kept")))
      programs.push_back(entry.path());
    ASSERT_FALSE(programs.empty());
    for (const fs::path& program : programs) change(program);
    const Outcome after = run_command(product, folder_.path(),
                                      "TESSERA_LOG=info TESSERA_CACHE=" + folder_.at("kept"));
    EXPECT_EQ(after.status, 0) << after.errors;
    EXPECT_NE(after.output.find("            4            4\n"), std::string::npos) << after.output;
    for (const fs::path& program : programs) {
      EXPECT_NE(after.errors.find(program.string() + " is not used: " + reason), std::string::npos)
          << program << " in " << after.errors;
      EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(program))) << program;
    }
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
  EXPECT_EQ(run("cache clear").output, "removed 0 files, 0.0 MiB\n");
}

TEST_F(CacheCommandTest, ADamagedProgramIsBuiltAgainAndTheLogSaysSo) {
  expect_rebuilt(
      [](const fs::path& program) { fs::resize_file(program, fs::file_size(program) - 1); },
      "it is damaged");
}

/// One that someone else can have put there would run in this process.
TEST_F(CacheCommandTest, ALinkIsNotUsedAndTheLogSaysWhy) {
  fs::create_directory(folder_.at("elsewhere"));
  expect_rebuilt(
      [&](const fs::path& program) {
        const fs::path target = folder_.path() / "elsewhere" / program.filename();
        fs::rename(program, target);
        fs::create_symlink(target, program);
      },
      kNotOwn);
}

TEST_F(CacheCommandTest, APipeIsNotUsedAndTheLogSaysWhy) {
  expect_rebuilt(
      [](const fs::path& program) {
        fs::remove(program);
        ASSERT_EQ(::mkfifo(program.c_str(), 0600), 0);
      },
      kNotOwn);
}

TEST_F(CacheCommandTest, AFileOfAnotherUserIsNotUsedAndTheLogSaysWhy) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files to another user";
  expect_rebuilt([](const fs::path& program) { ASSERT_EQ(::chown(program.c_str(), 1, 1), 0); },
                 kNotOwn);
}

TEST_F(CacheCommandTest, SaysWhereThereIsNone) {
  const Outcome off = run_command("cache show", folder_.path(), "TESSERA_CACHE=off");
  EXPECT_EQ(off.output, "TESSERA_CACHE is off: nothing is kept\n");
  EXPECT_EQ(run("cache").status, 2);
  EXPECT_EQ(run("cache burn").status, 2);
}

}  // namespace
}  // namespace tessera::test
