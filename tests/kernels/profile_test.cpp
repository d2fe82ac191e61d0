// Profiles: the best entry, what has gone stale, and the calls that use it.
#include "kernels/profile.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "kernels/profile_entry.hpp"
#include "kernels/profile_file.hpp"
#include "multiply/table.hpp"
#include "operations.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/transposed_if.hpp"
#include "tessera/eigen.hpp"
#include "tessera/error.hpp"
#include "tessera/multiply.hpp"

namespace tessera::kernels {
namespace {

const Operation& multiply_operation() { return multiplication::multiply_table().operation(); }

class ProfileTest : public testing::Test {
 protected:
  std::string file() const { return folder_.at("deep/tuned.jsonl"); }

  /// An entry of the tests' device, twice as fast as the default.
  static ProfileEntry entry(std::size_t size, int rows) {
    const DeviceInfo& device = test::engine().device();
    ProfileEntry entry = test::profile_entry(size, rows);
    entry.platform = device.platform;
    entry.device = device.name;
    entry.driver = device.driver;
    entry.simd_width = device.simd_width;
    entry.source = source_hash(find_variant(multiply_operation(), "naive"));
    return entry;
  }
  Engine engine() const {
    return Engine(EngineOptions{.device = test::engine().device().selector, .profile = file()});
  }
  /// GROUP_ROWS of the kernel that runs a product of that size, 0 for another kernel.
  static int rows_of(const Engine& engine, std::size_t m, std::size_t n, std::size_t k,
                     bool transpose_b = false) {
    const Matrix<float> a(engine, m, k, std::vector<float>(m * k, 1)),
        b(engine, transpose_b ? n : k, transpose_b ? k : n, std::vector<float>(k * n, 1));
    const auto ran = multiply(a, test::transposed_if(transpose_b, b)).ran;
    return ran.variant() == "naive" ? ran.parameters().at("GROUP_ROWS") : 0;
  }

 private:
  test::Folder folder_;
};

TEST_F(ProfileTest, TheNearestSizeIsUsedAndTheNewest) {
  append_profile(file(), std::vector{entry(64, 1), entry(256, 8), entry(64, 4)});
  const Engine tuned = engine();
  EXPECT_EQ(rows_of(tuned, 64, 64, 64), 4);
  EXPECT_EQ(rows_of(tuned, 70, 40, 90), 4);
  EXPECT_EQ(rows_of(tuned, 200, 300, 170), 8);
  EXPECT_EQ(rows_of(tuned, 64, 64, 3), 0) << "too far along the inner dimension";
  EXPECT_EQ(rows_of(tuned, 200, 300, 170, true), 8) << "a transpose is no obstacle";
}

TEST_F(ProfileTest, AnEntryIsUsedFromWhenItIsAddedOn) {
  const Engine here = engine();
  EXPECT_EQ(rows_of(here, 64, 64, 64), 0);
  profile_of(runtime::stream_of(here)).add(entry(64, 4));
  EXPECT_EQ(rows_of(here, 64, 64, 64), 4) << "a call that was made before";
  profile_of(runtime::stream_of(here)).add(entry(64, 8));
  EXPECT_EQ(rows_of(here, 64, 64, 64), 8);
}

TEST_F(ProfileTest, WhereTheWinnerLostTheDefaultRuns) {
  ProfileEntry small = entry(64, 4);
  small.observations.push_back({.m = 128, .n = 128, .k = 128, .ratio = 1.1});
  append_profile(file(), std::vector{small});
  const Engine tuned = engine();
  EXPECT_EQ(rows_of(tuned, 64, 64, 64), 4);
  EXPECT_EQ(rows_of(tuned, 63, 65, 62), 4) << "no cliff";
  EXPECT_EQ(rows_of(tuned, 128, 128, 128), 0);
  EXPECT_EQ(rows_of(tuned, 127, 129, 126), 0);
}

TEST_F(ProfileTest, ForTheTunedProblemItsOwnEntryIsUsed) {
  ProfileEntry slow = entry(64, 4), fast = entry(65, 8);
  slow.observations[0].ratio = 0.99;
  fast.observations[0].ratio = 0.1;
  append_profile(file(), std::vector{slow, fast});
  const Engine tuned = engine();
  EXPECT_EQ(rows_of(tuned, 64, 64, 64), 4);
  EXPECT_EQ(rows_of(tuned, 64, 64, 63), 8);
}

TEST_F(ProfileTest, EntriesCompeteByWhatWasSeenNearTheProblem) {
  ProfileEntry small = entry(64, 4), large = entry(128, 8);
  small.observations.push_back({.m = 128, .n = 128, .k = 128, .ratio = 0.7});
  large.observations.push_back({.m = 64, .n = 64, .k = 64, .ratio = 0.7});
  append_profile(file(), std::vector{small, large});
  const Engine tuned = engine();
  EXPECT_EQ(rows_of(tuned, 60, 70, 64), 4);
  EXPECT_EQ(rows_of(tuned, 120, 140, 128), 8);
}

TEST_F(ProfileTest, ALaterTuningReplacesTheEarlierNearbyToo) {
  ProfileEntry earlier = entry(64, 4), later = entry(64, 8), stale = entry(64, 16);
  later.observations[0].ratio = 0.9;
  stale.driver += "1";
  append_profile(file(), std::vector{earlier, later, stale});
  EXPECT_EQ(rows_of(engine(), 64, 64, 63), 8);
}

TEST_F(ProfileTest, AShippedEntryGivesWayToOneThatIsAboutAsGood) {
  DeviceInfo device;
  device.platform = "Portable Computing Language";
  device.type = DeviceType::cpu;
  device.simd_width = 8;
  const auto shipped = shipped_entries(device);
  ASSERT_EQ(shipped.size(), 1U);
  Profile profile;
  profile.load(device, "/no/such.jsonl");
  Problem nearby = shipped[0].problem;
  nearby.m--;
  const auto before = profile.find(multiply_operation(), nearby);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->choice, shipped[0].kernel);
  EXPECT_EQ(before->reason.find("shipped profile for multiply float 512 x 512 x 512, 0.9"), 0U);

  ProfileEntry own = entry(nearby.n, 4);
  own.driver = device.driver;
  own.problem.m = nearby.m - 1;
  own.observations = {observation(own.problem, 1.01 * shipped[0].observations[0].ratio)};
  profile.add(own);
  EXPECT_EQ(profile.find(multiply_operation(), nearby)->choice, own.kernel);
  EXPECT_EQ(profile.find(multiply_operation(), shipped[0].problem)->choice, shipped[0].kernel);
}

TEST_F(ProfileTest, TransposesOfTheirOwnComeFirst) {
  ProfileEntry transposed = entry(64, 16);
  transposed.problem.op_b = Op::transpose;
  append_profile(file(), std::vector{transposed, entry(64, 4)});
  const Engine tuned = engine();
  EXPECT_EQ(rows_of(tuned, 64, 64, 64, true), 16);
  EXPECT_EQ(rows_of(tuned, 64, 64, 64), 4);
}

TEST_F(ProfileTest, TheReasonSaysWhatItWasTunedFor) {
  append_profile(file(), std::vector{entry(64, 4)});
  const Engine tuned = engine();
  const Matrix<float> a(tuned, {{1, 2}, {3, 4}});
  const Matrix<float> large(tuned, 50, 50, std::vector<float>(2500, 1));
  const Matrix<float> exact(tuned, 64, 64, std::vector<float>(4096, 1));
  EXPECT_EQ(multiply(exact, exact).ran.reason(), "tuned for multiply float 64 x 64 x 64");
  EXPECT_EQ(multiply(large, large).ran.reason(),
            "tuned for multiply float 64 x 64 x 64, 0.55 of the default's time expected here");
  EXPECT_EQ(multiply(a, a).ran.reason().find("tuned"), std::string::npos);
  EXPECT_EQ(multiply(large, large, {.kernel = {"naive", {}}}).ran.reason(), "named by the caller");
}

TEST_F(ProfileTest, WhatIsStaleIsNotUsed) {
  ProfileEntry driver = entry(64, 4), source = entry(64, 4), device = entry(64, 4),
               gone = entry(64, 4), off = entry(64, 4);
  driver.driver += "1";
  source.source[0] = source.source[0] == 'a' ? 'b' : 'a';
  device.device += "x";
  gone.kernel.variant = "no_such_kernel";
  append_profile(file(), std::vector{driver, source, device, gone});
  const Engine tuned = engine();
  EXPECT_EQ(rows_of(tuned, 64, 64, 64), 0);
  for (const auto& [stale, word] : {std::pair(driver, "driver"), std::pair(source, "source"),
                                    std::pair(device, "it is for"), std::pair(gone, "no longer exists")})
    EXPECT_NE(why_not_used(tuned, stale).find(word), std::string::npos) << word;
  EXPECT_EQ(why_not_used(tuned, off), "");
}

TEST_F(ProfileTest, AnEntryThatIsNotLegalRunsAsTheNearestThatIs) {
  ProfileEntry illegal = entry(64, 4);
  illegal.kernel.parameters["GROUP_ROWS"] = 5;  // no candidate
  illegal.kernel.parameters["NO_SUCH"] = 1;
  append_profile(file(), std::vector{illegal});
  const Engine tuned = engine();
  const Matrix<float> a(tuned, 64, 64, std::vector<float>(64 * 64, 1));
  const auto ran = multiply(a, a).ran;
  EXPECT_EQ(ran.variant(), "naive");
  EXPECT_EQ(ran.parameters().at("GROUP_ROWS"), 4);
  EXPECT_FALSE(ran.parameters().contains("NO_SUCH"));
}

TEST_F(ProfileTest, AModeAmongItsParametersDoesNotEndASolve) {
  ProfileEntry odd = entry(64, 4);
  odd.problem = {.operation = "implicit_round", .m = 64, .n = 64};
  odd.kernel = {"row_per_group", {{"CHECKS", 1}, {"VALIDATE", 1}, {"ACCUMULATOR", 1}}};
  odd.source = source_hash(find_variant(find_operation("implicit_round"), "row_per_group"));
  append_profile(file(), std::vector{odd});
  const Engine tuned = engine();
  const auto pair = dominant_eigenpair(Matrix<float>(tuned, 64, 64, std::vector<float>(4096, 1)));
  EXPECT_TRUE(pair.converged);
  EXPECT_EQ(pair.value, 64);
  EXPECT_TRUE(std::ranges::any_of(pair.ran, [](const KernelRun& run) {
    return run.variant() == "row_per_group" && run.reason().starts_with("tuned") &&
           !run.parameters().contains("VALIDATE");
  }));
}

TEST_F(ProfileTest, OffMeansOff) {
  append_profile(file(), std::vector{entry(64, 4)});
  const Engine engine(EngineOptions{.device = test::engine().device().selector, .profile = "off"});
  EXPECT_EQ(rows_of(engine, 64, 64, 64), 0);
  EXPECT_TRUE(profile_path(engine.device(), "off").empty());
  EXPECT_EQ(profile_path(engine.device(), "/x/y.jsonl"), "/x/y.jsonl");
  EXPECT_EQ(profile_path(engine.device(), "/x/y").parent_path(), "/x/y");
}

TEST_F(ProfileTest, APipeIsNoProfile) {
  std::filesystem::create_directories(std::filesystem::path(file()).parent_path());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_THROW(read_profile(file()), Error);
  EXPECT_EQ(rows_of(engine(), 64, 64, 64), 0);
}

}  // namespace
}  // namespace tessera::kernels
