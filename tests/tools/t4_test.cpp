// T4 results: every rule of schema 1.0.0, checked by hand.
#include "exports/t4.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "sample_results.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::ordered_json;

void expect_times(const Json& times) {
  ASSERT_TRUE(times.is_object());
  for (const char* key : {"compilation_time", "compilation", "benchmark", "framework",
                          "search_algorithm", "validation"}) {
    ASSERT_TRUE(times.contains(key)) << key;
    EXPECT_TRUE(times[key].is_number()) << key;
  }
  ASSERT_TRUE(times.at("runtimes").is_array());
  for (const Json& run : times["runtimes"]) EXPECT_TRUE(run.is_number());
}

void expect_measurements(const Json& measurements) {
  ASSERT_TRUE(measurements.is_array());
  for (const Json& measurement : measurements) {
    EXPECT_TRUE(measurement.at("name").is_string());
    EXPECT_TRUE(measurement.at("value").is_number());
    EXPECT_TRUE(measurement.at("unit").is_string());
  }
}

void expect_result(const Json& result) {
  static const std::set<std::string> kInvalidities = {"timeout",     "compile",     "runtime",
                                                      "correctness", "constraints", "correct"};
  ASSERT_TRUE(result.is_object());
  for (const char* key : {"configuration", "times", "invalidity", "correctness"})
    ASSERT_TRUE(result.contains(key)) << key;
  ASSERT_TRUE(result["configuration"].is_object());
  EXPECT_TRUE(result["configuration"].at("variant").is_string());
  for (const auto& [name, value] : result["configuration"].items())
    EXPECT_TRUE(name == "variant" || value.is_number_integer()) << name;
  expect_times(result["times"]);
  ASSERT_TRUE(result["invalidity"].is_string());
  EXPECT_TRUE(kInvalidities.contains(result["invalidity"].get<std::string>()));
  ASSERT_TRUE(result["correctness"].is_number());
  EXPECT_TRUE(result.at("timestamp").is_string());
  EXPECT_EQ(result.at("objectives"), Json::array({"time"}));
  expect_measurements(result.at("measurements"));
}

/// The document, every rule of the schema checked.
Json checked(const std::vector<TuneResult>& results) {
  const Json document = Json::parse(tool::t4_text(results));
  EXPECT_EQ(document.at("schema_version"), "1.0.0");
  const Json& metadata = document.at("metadata");
  for (const char* key : {"compute_api", "platform", "device", "autotuner", "autotuner_version",
                          "timestamp", "timeunit"})
    EXPECT_TRUE(metadata.at(key).is_string()) << key;
  EXPECT_EQ(metadata.at("compute_api"), "OpenCL");
  EXPECT_EQ(metadata.at("timeunit"), "milliseconds");
  EXPECT_TRUE(document.at("results").is_array());
  for (const Json& result : document.at("results")) expect_result(result);
  return document;
}

TEST(T4Test, FollowsTheSchema) {
  const auto document = checked({multiply_result(), transposed_result(), row_sum_result()});
  EXPECT_EQ(document["results"].size(), multiply_result().trials.size() +
                                            transposed_result().trials.size() +
                                            row_sum_result().trials.size());
  EXPECT_EQ(document["metadata"]["device"], "Sample Accelerator 100");
  EXPECT_EQ(document["metadata"]["problems"].size(), 3u);
}

TEST(T4Test, FollowsTheSchemaAtTheEdges) {
  EXPECT_TRUE(checked({})["results"].empty());
  EXPECT_TRUE(checked({empty_result()})["results"].empty());
  EXPECT_EQ(checked({single_result()})["results"].size(), 1u);
  EXPECT_EQ(checked({failed_result()})["results"].size(), failed_result().trials.size());
}

TEST(T4Test, SaysWhatCameOfEveryOutcome) {
  const auto results = checked({edge_case_result()})["results"];
  // As outcomes() are: ok, slow, wrong, build failed, build timeout, resources, run timeout,
  // crashed.
  constexpr std::array<std::string_view, 8> kExpected = {
      "correct", "correct", "correctness", "compile", "timeout", "runtime", "timeout", "runtime"};
  ASSERT_EQ(results.size(), kExpected.size());
  for (std::size_t i = 0; i < kExpected.size(); i++) {
    EXPECT_EQ(results[i]["invalidity"], kExpected[i]) << i;
    EXPECT_EQ(results[i]["correctness"], i < 2 ? 1 : 0) << i;
    EXPECT_EQ(results[i]["measurements"].empty(), i >= 2) << i;
  }
  EXPECT_EQ(results[1]["measurements"][2],
            (Json{{"name", "abandoned"}, {"value", 1}, {"unit", ""}}));
  EXPECT_EQ(results[2]["reason"], edge_case_result().trials[2].reason);
  EXPECT_EQ(results[4]["reason"], "cut in the middle: \xef\xbf\xbd");
}

TEST(T4Test, TimesAreMilliseconds) {
  const auto result = checked({single_result()})["results"][0];
  EXPECT_EQ(result["times"]["compilation"], 250.0);
  EXPECT_EQ(result["times"]["compilation_time"], 250.0);
  EXPECT_EQ(result["times"]["benchmark"], 2.0);
  EXPECT_EQ(result["times"]["validation"], 1.0);
  EXPECT_EQ(result["times"]["runtimes"], Json::array({0.025, 0.0275, 0.03}));
  EXPECT_EQ(result["measurements"][0], (Json{{"name", "time"}, {"value", 0.0275}, {"unit", "ms"}}));
  EXPECT_EQ(result["measurements"][1]["unit"], "GFLOP/s");
  EXPECT_NEAR(result["measurements"][1]["value"].get<double>(), 19.0650, 1e-4);
  EXPECT_EQ(result["timestamp"], "2026-01-02 03:00:00.500+00:00");
}

TEST(T4Test, IsTheSameEveryTime) {
  EXPECT_EQ(tool::t4_text(std::vector{multiply_result()}),
            tool::t4_text(std::vector{multiply_result()}));
}

}  // namespace
}  // namespace tessera::test
