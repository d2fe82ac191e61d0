// Journals of tuners that ended well, that were killed, and that run at the same time.
#include "tuning/journal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "multiply/table.hpp"
#include "support/file_size_limit.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"
#include "tessera/error.hpp"

namespace tessera::tuning {
namespace {

class JournalTest : public testing::Test {
 protected:
  std::string file() const { return folder_.at("deep/journal.jsonl"); }
  Journal open(bool fresh = false, const Policy& policy = kPolicy) const {
    return Journal(file(), multiplication::multiply_table().operation(), policy, fresh);
  }
  static Trial trial(int rows) {
    return {.kernel = {"naive", {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", rows}}},
            .reason = "with \"quotes\"\nand lines",
            .runs = {0.25, 0.5, 1e-7},
            .build = 1};
  }

 private:
  test::Folder folder_;
};

TEST_F(JournalTest, KeepsTrials) {
  {
    Journal journal(open());
    EXPECT_TRUE(journal.trials().empty());
    journal.started(trial(1).kernel);
    journal.ended(trial(1));
  }
  const Journal again(open());
  ASSERT_EQ(again.trials().size(), 1U);
  const Trial& kept = again.trials()[0];
  EXPECT_EQ(kept.kernel, trial(1).kernel);
  EXPECT_EQ(kept.runs, trial(1).runs);
  EXPECT_EQ(kept.reason, trial(1).reason);
  EXPECT_TRUE(kept.from_journal);
}

TEST_F(JournalTest, OnAFullDiskItEndsWithoutAnError) {
  {
    Journal journal(open());
    journal.ended(trial(1));
    EXPECT_EQ(journal.failure(), "");
    {
      const test::FileSizeLimit full(std::filesystem::file_size(file()) + 10);
      journal.ended(trial(2));
    }
    EXPECT_NE(journal.failure().find("File too large"), std::string::npos) << journal.failure();
    journal.ended(trial(4));
  }
  EXPECT_EQ(open().trials().size(), 1U);
}

TEST_F(JournalTest, ALineThatWasCutIsLeftOut) {
  {
    Journal journal(open());
    journal.ended(trial(1));
  }
  std::ofstream(file(), std::ios::app) << "{\"trial\": {\"ker";
  {
    Journal journal(open());
    EXPECT_EQ(journal.trials().size(), 1U);
    journal.ended(trial(4));
  }
  EXPECT_EQ(open().trials().size(), 2U);
}

TEST_F(JournalTest, LinesOfAnotherSchemaAreLeftOut) {
  { open().ended(trial(1)); }
  const std::string line = test::content_of(file()), schema = "\"schema\":1,";
  ASSERT_EQ(line.find(schema), 1U) << line;
  for (const char* other : {"", "\"schema\":2,"}) {
    std::ofstream(file()) << std::string(line).replace(1, schema.size(), other);
    EXPECT_TRUE(open().trials().empty()) << other;
  }
  std::ofstream(file()) << line;
  EXPECT_EQ(open().trials().size(), 1U);
}

TEST_F(JournalTest, TrialsThatCannotBeAreLeftOut) {
  { open().ended(trial(1)); }
  const std::string line = test::content_of(file());
  const auto with = [&](const std::string& from, const std::string& to) {
    const auto at = line.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << line;
    return std::string(line).replace(at, from.size(), to);
  };
  const std::string runs = "[0.25,0.5,1e-07]";
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  std::ofstream(file()) << with(runs, "[0]") << with(runs, "[0.25,1e-324]") << with(runs, "[-1]")
                        << with(runs, "[]") << with("\"build\":1.0", "\"build\":-1")
                        << with("\"GROUP_ROWS\":1", "\"GROUP_ROWS\":4294967297")
                        << with("\"GROUP_ROWS\":1", "\"GROUP_ROWS\":" + deep);
  EXPECT_TRUE(open().trials().empty());
  std::ofstream(file()) << line;
  EXPECT_EQ(open().trials().size(), 1U);
}

TEST_F(JournalTest, WhatTwoTunersDiedOfIsNotTriedAgain) {
  for (int death = 1; death <= 2; death++) {
    {
      Journal journal(open());
      EXPECT_TRUE(journal.trials().empty()) << death;
      journal.started(trial(1).kernel);
      std::filesystem::copy_file(file(), file() + ".killed");
    }
    std::filesystem::rename(file() + ".killed", file());  // without the lines of a tuner that ends
  }
  const Journal journal(open());
  ASSERT_EQ(journal.trials().size(), 1U);
  EXPECT_EQ(journal.trials()[0].outcome, Outcome::crashed);
}

TEST_F(JournalTest, ThePolicySaysHowManyDeathsAreTooMany) {
  {
    Journal journal(open());
    journal.started(trial(1).kernel);
    std::filesystem::copy_file(file(), file() + ".killed");
  }
  std::filesystem::rename(file() + ".killed", file());
  EXPECT_TRUE(open().trials().empty());
  Policy policy;
  policy.max_deaths = 1;
  const Journal strict(open(false, policy));
  ASSERT_EQ(strict.trials().size(), 1U);
  EXPECT_EQ(strict.trials()[0].outcome, Outcome::crashed);
}

TEST_F(JournalTest, ThePolicySaysHowShortARunCanBe) {
  { open().ended(trial(1)); }
  Policy policy;
  policy.shortest_run = 1e-7;
  EXPECT_EQ(open(false, policy).trials().size(), 1U);
  policy.shortest_run = 2e-7;
  EXPECT_TRUE(open(false, policy).trials().empty());
}

TEST_F(JournalTest, ATunerThatExitsNormallyDidNotDieOfWhatWasPending) {
  for (int turn = 1; turn <= 3; turn++) {
    Journal journal(open());
    EXPECT_TRUE(journal.trials().empty()) << turn;
    journal.started(trial(1).kernel);
  }
}

TEST_F(JournalTest, TrialsOfAnotherSourceDoNotCount) {
  {
    Journal journal(open());
    journal.ended(trial(1));
  }
  std::string line = test::content_of(file());
  const auto hash = line.rfind("\"source\":\"") + 10;
  line[hash] = line[hash] == '0' ? '1' : '0';
  std::ofstream(file()) << line;
  EXPECT_TRUE(open().trials().empty());
}

TEST_F(JournalTest, FreshForgets) {
  {
    Journal journal(open());
    journal.ended(trial(1));
  }
  EXPECT_TRUE(open(true).trials().empty());
  EXPECT_TRUE(open().trials().empty());
}

TEST_F(JournalTest, APipeIsNoJournal) {
  std::filesystem::create_directories(std::filesystem::path(file()).parent_path());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_THROW(open(), Error);
}

TEST_F(JournalTest, ALinkIsNoJournal) {
  const std::string other = file() + ".other";
  std::filesystem::create_directories(std::filesystem::path(file()).parent_path());
  std::ofstream(other) << "somebody's\n";
  std::filesystem::create_symlink(other, file());
  EXPECT_THROW(open(), Error);
  EXPECT_THROW(open(true), Error);
  EXPECT_EQ(test::content_of(other), "somebody's\n");
}

TEST_F(JournalTest, WhatOthersCanWriteIsNoJournal) {
  { Journal journal(open()); }
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(file()).permissions() & (fs::perms::group_write | fs::perms::others_write),
            fs::perms::none);
  for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(file(), fs::perms::owner_read | fs::perms::owner_write | others);
    EXPECT_THROW(open(), Error);
  }
  if (::geteuid() != 0) return;  // only root can give files away
  constexpr uid_t kNobody = 65534;
  fs::permissions(file(), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(::chown(file().c_str(), kNobody, kNobody), 0);
  EXPECT_THROW(open(), Error);
}

TEST_F(JournalTest, APlaceThatCannotBeIsAnErrorOfTheLibrarys) {
  const auto& operation = multiplication::multiply_table().operation();
  EXPECT_THROW(Journal("/" + std::string(300, 'x') + "/journal.jsonl", operation, kPolicy, false),
               Error);
}

TEST_F(JournalTest, OneTunerAtATime) {
  const Journal journal(open());
  try {
    open();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("another tuner"), std::string::npos) << error.what();
  }
}

TEST(JournalPathTest, AnyDriversTextMakesOneFileName) {
  const test::Variable home("XDG_STATE_HOME", "/state");
  DeviceInfo device;
  device.name = "gfx90a:sramecc+";
  device.driver = "3590.0 (HSA1.1,LC) 24/07";
  const auto path = journal_path(device, {.m = 3, .n = 4, .k = 5});
  EXPECT_EQ(path.parent_path(), "/state/tessera/tuning");
  const std::string file = path.filename().string();
  EXPECT_EQ(file.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789.-_"),
            std::string::npos)
      << file;
  EXPECT_NE(file.find("3590.0--HSA1.1-LC--24-07-multiply-float-3x4x5"), std::string::npos) << file;
}

TEST(JournalPathTest, EveryProblemHasAFileOfItsOwn) {
  const test::Variable home("XDG_STATE_HOME", "/state");
  const std::vector<Problem> problems = {
      {},
      {.types = ElementType::float64},
      {.types = ElementType::float16},
      {.types = {ElementType::float16, ElementType::float32}},
      {.batch = 100},
      {.op_b = Op::transpose},
      {.leading_dimensions = {.a = 64}},
      {.batch_strides = {.c = 4096}},
      {.beta = 1},
      {.mode = {.accuracy = Accuracy::bounded}},
      {.mode = {.accumulator = Accumulator::two_floats}},
  };
  std::set<std::filesystem::path> files;
  for (const Problem& problem : problems) files.insert(journal_path({}, problem));
  EXPECT_EQ(files.size(), problems.size());
}

}  // namespace
}  // namespace tessera::tuning
