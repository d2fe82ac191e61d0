// Kernel Tuner caches: what its readers need, and what is read back.
#include "exports/kernel_tuner_cache.hpp"
#include "exports/kernel_tuner_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sample_results.hpp"
#include "usage_error.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::ordered_json;
using tool::kernel_tuner_cache;
using tool::read_kernel_tuner_cache;
using tool::Recording;

/// Times within six digits.
void expect_near(double read, double written) { EXPECT_NEAR(read, written, 1e-5 * written); }

void expect_same(const Trial& read, const Trial& written) {
  EXPECT_EQ(read.kernel, written.kernel);
  EXPECT_EQ(read.outcome, written.outcome);
  EXPECT_EQ(read.reason, written.reason);
  EXPECT_EQ(read.from_journal, written.from_journal);
  EXPECT_NEAR(read.ended, written.ended, 1e-3);
  expect_near(read.build, written.build);
  expect_near(read.check, written.check);
  expect_near(read.timing, written.timing);
  ASSERT_EQ(read.runs.size(), written.runs.size());
  for (std::size_t i = 0; i < read.runs.size(); i++) expect_near(read.runs[i], written.runs[i]);
}

void expect_same(const Recording& read, const TuneResult& written, std::size_t trials) {
  EXPECT_EQ(read.problem, written.problem);
  EXPECT_EQ(read.device.platform, written.device.platform);
  EXPECT_EQ(read.device.driver, written.device.driver);
  EXPECT_EQ(read.device.type, written.device.type);
  EXPECT_EQ(read.device.max_work_items, written.device.max_work_items);
  if (std::ranges::count(written.trials, written.default_kernel, &Trial::kernel) > 0) {
    EXPECT_EQ(read.default_kernel, written.default_kernel);
  }
  ASSERT_EQ(read.trials.size(), trials);
  for (std::size_t i = 0; i < trials; i++) expect_same(read.trials[i], written.trials[i]);
}

void expect_round_trip(const TuneResult& result) {
  const std::string text = kernel_tuner_cache(result);
  const Recording recording = read_kernel_tuner_cache(text, "cache.json");
  expect_same(recording, result, result.trials.size());
  TuneResult again = result;
  again.trials = recording.trials;
  EXPECT_EQ(kernel_tuner_cache(again), text) << "what was rounded stays as it is";
}

TEST(KernelTunerCacheTest, ReadsWhatItWrote) {
  expect_round_trip(multiply_result());
  expect_round_trip(transposed_result());
  expect_round_trip(row_sum_result());
  TuneResult bounded = multiply_result();
  bounded.problem.mode.accuracy = Accuracy::bounded;
  expect_round_trip(bounded);
  expect_round_trip(single_result());
  expect_round_trip(failed_result());
  expect_round_trip(empty_result());
}

TEST(KernelTunerCacheTest, KeepsReasonsOfAnyBytes) {
  TuneResult result = edge_case_result();
  const Recording recording = read_kernel_tuner_cache(kernel_tuner_cache(result), "cache.json");
  result.trials[4].reason = "cut in the middle: \xef\xbf\xbd";
  result.trials[5].reason = "\xef\xbf\xbd\xef\xbf\xbd bytes that are no text";
  expect_same(recording, result, result.trials.size());
}

TEST(KernelTunerCacheTest, HasTheFormThatItsReadersNeed) {
  for (const TuneResult& result : {multiply_result(), edge_case_result(), single_result()}) {
    const std::string text = kernel_tuner_cache(result);
    EXPECT_TRUE(text.ends_with("}}\n}"));
    std::istringstream lines(text.substr(text.find("\"cache\": {\n") + 11));
    std::size_t entries = 0;
    for (std::string line; std::getline(lines, line) && line != "}"; entries++) {
      const bool last = entries + 1 == result.trials.size();
      EXPECT_TRUE(line.ends_with(last ? "}}" : "},")) << line;
      EXPECT_EQ(Json::parse(fmt::format("{{{}}}", line.substr(0, line.size() - 1))).size(), 1u);
    }
    EXPECT_EQ(entries, result.trials.size());
  }
}

TEST(KernelTunerCacheTest, HasTheFieldsThatItsReadersNeed) {
  const TuneResult result = edge_case_result();
  const Json document = Json::parse(kernel_tuner_cache(result));
  EXPECT_EQ(document["kernel_name"], "multiply_tiled_static");
  EXPECT_EQ(document["problem_size"], Json::array({64, 64, 64}));
  EXPECT_EQ(document["objective"], "time");
  EXPECT_EQ(document["tune_params_keys"], Json::array({"TILE"})) << "one variant alone";
  EXPECT_EQ(document["tune_params"]["TILE"], Json::array({4, 8, 16, 32, 64, 128, 256, 512}));
  for (const char* key : {"problem", "device", "platform", "driver_version", "tool"})
    EXPECT_TRUE(document.contains(key)) << key;
  ASSERT_EQ(document["cache"].size(), result.trials.size());
  for (const auto& [key, entry] : document["cache"].items()) {
    EXPECT_EQ(key, std::to_string(entry.at("TILE").get<int>()));
    for (const char* time :
         {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"})
      EXPECT_TRUE(entry.at(time).is_number()) << time;
  }
  EXPECT_TRUE(document["cache"]["4"]["time"].is_number_float());
  EXPECT_EQ(document["cache"]["16"]["time"], "RuntimeFailedConfig");
  EXPECT_EQ(document["cache"]["32"]["time"], "CompilationFailedConfig");
  EXPECT_EQ(document["cache"]["64"]["time"], "CompilationFailedConfig");
  EXPECT_EQ(document["cache"]["128"]["time"], "RuntimeFailedConfig");
}

TEST(KernelTunerCacheTest, WholeMillisecondsAreNoIntegers) {
  TuneResult result = single_result();
  result.trials[0].runs = {0.003};
  EXPECT_NE(kernel_tuner_cache(result).find("\"time\":3.0,"), std::string::npos);
}

TEST(KernelTunerCacheTest, SeveralVariantsAreAParameter) {
  const Json document = Json::parse(kernel_tuner_cache(multiply_result()));
  EXPECT_EQ(document["kernel_name"], "multiply");
  EXPECT_EQ(document["tune_params_keys"][0], "variant");
  EXPECT_EQ(document["tune_params"]["TILE_K"], Json::array({-1, 8, 16}));
  for (const auto& [key, entry] : document["cache"].items()) {
    std::string expected;
    for (const Json& parameter : document["tune_params_keys"]) {
      const Json& value = entry.at(parameter.get<std::string>());
      const Json& values = document["tune_params"][parameter.get<std::string>()];
      EXPECT_NE(std::find(values.begin(), values.end(), value), values.end());
      if (!expected.empty()) expected += ',';
      expected += value.is_string() ? value.get<std::string>() : value.dump();
    }
    EXPECT_EQ(key, expected);
  }
}

TEST(KernelTunerCacheTest, AVariantWithoutParametersIsOne) {
  TuneResult result = single_result();
  result.trials[0].kernel = {"atomic", {}};
  EXPECT_EQ(Json::parse(kernel_tuner_cache(result))["tune_params_keys"], Json::array({"variant"}));
  expect_round_trip(result);
}

TEST(KernelTunerCacheTest, ReadsAFileThatWasCutOff) {
  const TuneResult result = edge_case_result();
  const std::string text = kernel_tuner_cache(result);
  const std::size_t begin = text.find("\"cache\": {") + 10;
  for (std::size_t size = begin; size <= text.size(); size++) {
    const Recording recording = read_kernel_tuner_cache(text.substr(0, size), "cache.json");
    const std::string entries = text.substr(begin, size - begin);
    const auto whole = std::count(entries.begin(), entries.end(), '\n');
    EXPECT_GE(static_cast<std::ptrdiff_t>(recording.trials.size()), whole - 1) << size;
  }
}

std::string error_of(const std::string& content) {
  try {
    read_kernel_tuner_cache(content, "f.json");
  } catch (const tool::UsageError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(KernelTunerCacheTest, SaysWhatIsNoCache) {
  for (const char* content :
       {"", "}", "[1, 2]", "null", "no JSON", "{", "\xff\xfe", "{\"a\": 1}", "{\"cache\": 1e999}"})
    EXPECT_EQ(error_of(content), "f.json: is no cache file of Kernel Tuner") << content;
  // The stack would not hold its text.
  EXPECT_EQ(error_of("{\"cache\": " + std::string(200000, '[') + std::string(200000, ']') + "}"),
            "f.json: is no cache file of Kernel Tuner");
  EXPECT_TRUE(
      error_of("{\"cache\": {}}").starts_with("f.json: is no cache file that Tessera wrote"));
}

TEST(KernelTunerCacheTest, SaysWhatIsWrongInACache) {
  const std::string good = kernel_tuner_cache(single_result());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"m\":64", "\"m\":-64"},
           {"\"m\":64", "\"m\":\"many\""},
           {"\"dtype\":\"float\"", "\"dtype\":\"quad\""},
           {"\"op\":\"multiply\"", "\"op\":\"multi\\nply\""},
           {"\"outcome\":\"ok\"", "\"outcome\":\"great\""},
           {"\"outcome\":\"ok\"", "\"outcome\":5"},
           {"\"compile_time\":250.0", "\"compile_time\":-1"},
           {"\"compile_time\":250.0", "\"compile_time\":1e999"},
           {"\"times\":[", "\"times\":[\"x\","},
           {"\"times\":[", "\"times\":[0,"},
           {"\"times\":[", "\"times\":[1e-324,"},
           {"\"m\":64", "\"m\":1e300"},
           {"\"compute_units\":", "\"compute_units\":1e300,\"was\":"},
           {"\"max_work_items\":[", "\"max_work_items\":[-1,"},
           {"\"GROUP_ROWS\":8", "\"GROUP_ROWS\":8.5"},
           {"\"GROUP_ROWS\":8", "\"GROUP_ROWS\":99999999999"},
           {"\"device_name\": \"Sample Accelerator 100\"", "\"device_name\": 7"}}) {
    const std::string error = error_of(with(from, to));
    EXPECT_TRUE(error.starts_with("f.json: ")) << to << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace tessera::test
