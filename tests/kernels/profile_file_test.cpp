// Profile files: lines there and back, lines without an entry, lines of earlier versions.
#include "kernels/profile_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <tessera/log.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/profile_entry.hpp"
#include "support/folder.hpp"
#include "tessera/error.hpp"

namespace tessera::kernels {
namespace {

using test::profile_entry;

TEST(ProfileFileTest, ALineIsAnEntryAndBack) {
  ProfileEntry written = profile_entry(100, 4);
  written.problem.op_b = Op::transpose;
  written.problem.types = ElementType::float64;
  written.device = "a \"name\"\n\xff";
  written.observations.push_back(
      {.m = 50, .n = 60, .k = 70, .batch = 80, .op_b = Op::conjugate_transpose, .ratio = 1.25});
  const auto read = parse_line(line_of(written));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->problem, written.problem);
  EXPECT_EQ(read->kernel, written.kernel);
  ASSERT_EQ(read->observations.size(), 2U);
  const auto& [m, n, k, batch, op_a, op_b, ratio] = read->observations[1];
  EXPECT_EQ(std::tuple(m, n, k, batch), std::tuple(50U, 60U, 70U, 80U));
  EXPECT_EQ(op_a, Op::none);
  EXPECT_EQ(op_b, Op::conjugate_transpose);
  EXPECT_EQ(ratio, 1.25);
  EXPECT_EQ(read->seconds, written.seconds);
  EXPECT_EQ(read->upper, written.upper);
  EXPECT_EQ(read->simd_width, written.simd_width);
  EXPECT_EQ(read->source, written.source);
  EXPECT_EQ(read->evaluations, 9U);
}

TEST(ProfileFileTest, ALineKeepsEveryType) {
  for (const ProductTypes& types :
       {ProductTypes(ElementType::float32), ProductTypes(ElementType::float64),
        ProductTypes(ElementType::int32), ProductTypes(ElementType::float16),
        ProductTypes(ElementType::int8), ProductTypes(ElementType::bfloat16),
        ProductTypes(ElementType::float16, ElementType::float32),
        ProductTypes(ElementType::bfloat16, ElementType::float32)}) {
    ProfileEntry written = profile_entry(100, 4);
    written.problem.types = types;
    const auto read = parse_line(line_of(written));
    ASSERT_TRUE(read) << to_string(types);
    EXPECT_EQ(read->problem, written.problem) << to_string(types);
  }
}

TEST(ProfileFileTest, LinesThatAreNoEntriesAreLeftOut) {
  const test::Folder folder;
  const std::string file = folder.at("deep/tuned.jsonl");
  append_profile(file, std::vector{profile_entry(100, 1)});
  std::ofstream(file, std::ios::app)
      << "\n[]\nnull\n{\"v\":3}\n{\"v\":2,\"op\":3}\n{\"v\":2,\"op\":\"multiply\",\"dty";
  append_profile(file, std::vector{profile_entry(100, 4)});  // after a line that was cut
  const auto entries = read_profile(file);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1].kernel.parameters.at("GROUP_ROWS"), 4);
  EXPECT_TRUE(read_profile(file + "x").empty());
}

TEST(ProfileFileTest, LinesOfAnotherSchemaAreLeftOutWithAWarning) {
  const test::Folder folder;
  const std::string line = line_of(profile_entry(100, 4)), schema = "\"schema\":1";
  ASSERT_EQ(line.find(schema), 1U) << line;
  const auto with = [&](const char* other) {
    return std::string(line).replace(1, schema.size(), other) + "\n";
  };
  folder.file("tuned.jsonl", with("\"v\":1") + line + "\n" + with("\"schema\":2"));
  std::vector<std::string> warnings;
  LogHandler previous =
      set_log_handler([&](LogLevel, std::string_view message) { warnings.emplace_back(message); });
  const auto entries = read_profile(folder.at("tuned.jsonl"));
  set_log_handler(std::move(previous));
  EXPECT_EQ(entries.size(), 1U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("2 lines are skipped, the last because its schema is 2; expected 1"),
            std::string::npos)
      << warnings[0];
}

TEST(ProfileFileTest, LinesWithNumbersOutOfRangeAreLeftOut) {
  const std::string line = line_of(profile_entry(100, 4));
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  for (const auto& [field, values] : std::map<std::string, std::vector<std::string>>{
           {"\"schema\":1", {"1e300", "4294967297", deep}},
           {"\"m\":100", {"-1", "0.5", "1e300", "18446744073709551616"}},
           {"\"GROUP_ROWS\":4", {"4.5", "2147483648", "-1e300"}},
           {"\"seconds\":0.001", {"-1", "1e999"}},
           {"\"ratio\":0.5", {"-1", "0", "1e400", "NaN", "null", "\"0.5\""}},
           {"\"batch\":1", {"-1", "1.5", "18446744073709551616"}},
           {"\"seed\":7", {"-7", "1e300"}},
           {"\"evaluations\":9", {"9.5"}}}) {
    const auto at = line.find(field);
    ASSERT_NE(at, std::string::npos) << field << " in " << line;
    for (const std::string& value : values) {
      const auto colon = field.find(':') + 1;
      std::string changed = line;
      changed.replace(at + colon, field.size() - colon, value);
      EXPECT_FALSE(parse_line(changed)) << changed.substr(0, 1000);
    }
  }
}

TEST(ProfileFileTest, LinesWithTooManyObservationsAreLeftOut) {
  ProfileEntry many = profile_entry(100, 4);
  many.observations.resize(256);
  EXPECT_TRUE(parse_line(line_of(many)));
  many.observations.resize(257);
  EXPECT_FALSE(parse_line(line_of(many)));
  many.observations.resize(10'000);
  EXPECT_FALSE(parse_line(line_of(many)));
  std::string object = line_of(profile_entry(100, 4));
  object.replace(object.find('['), object.find(']') + 1 - object.find('['), "{}");
  EXPECT_FALSE(parse_line(object));
}

TEST(ProfileFileTest, ALineOfAnEarlierVersionIsAnObservationOfItsOwnProblem) {
  const auto without = [](std::string line) {
    const auto start = line.find("\"observations\":["), end = line.find("],", start) + 1;
    return line.replace(start, end - start, "\"reach\":4.0");
  };
  ProfileEntry written = profile_entry(100, 4);
  written.problem.op_a = Op::transpose;
  const auto read = parse_line(without(line_of(written)));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->observations.size(), 1U);
  EXPECT_EQ(read->observations[0].m, 100U);
  EXPECT_EQ(read->observations[0].op_a, Op::transpose);
  EXPECT_EQ(read->observations[0].ratio, 0.5);
  written.default_seconds = 0;
  const auto unknown = parse_line(without(line_of(written)));
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->observations[0].ratio, 0.95);
}

TEST(ProfileFileTest, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(append_profile("/proc/none/profile.jsonl", std::vector{profile_entry(64, 4)}),
               Error);
}

}  // namespace
}  // namespace tessera::kernels
