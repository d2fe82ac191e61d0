// The report: its document has the tuning's facts, and its page has the document.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exports/tune_json.hpp"
#include "sample_results.hpp"

namespace tessera::test {
namespace {

using tool::Json;

constexpr Peak kPeak{5e13, 4e12};

Json problem_of(const TuneResult& result, const std::optional<Peak>& peak = kPeak) {
  return tool::report_document(std::vector<tool::TunedProblem>{{result, peak}})["problems"][0];
}

/// The document as a browser finds it: up to the first end of its element.
Json document_in(const std::string& page) {
  const std::string_view start = "<script type=\"application/json\" id=\"report-data\">";
  const std::size_t from = page.find(start) + start.size();
  const std::string text = page.substr(from, page.find("</script", from) - from);
  EXPECT_EQ(text.find('<'), text.npos) << "neither <!-- nor <script";
  return Json::parse(text);
}

TEST(ReportTest, TheDocumentSaysWhereItComesFrom) {
  const Json document = tool::report_document(
      std::vector<tool::TunedProblem>{{multiply_result(), kPeak}, {row_sum_result(), {}}},
      {.command = "tessera tune <x>", .budget = 90, .date = 1767322800});
  EXPECT_EQ(document["schema"], kJsonSchema);
  EXPECT_EQ(document["command"], "tessera tune <x>");
  EXPECT_EQ(document["budget"], 90);
  EXPECT_EQ(document["date"], "2026-01-02 03:00:00.000+00:00");
  ASSERT_EQ(document["problems"].size(), 2U);
  EXPECT_EQ(document["problems"][0]["name"], "multiply float 2048 x 2048 x 2048");
  EXPECT_EQ(document["problems"][0]["default_won"], false);
  EXPECT_EQ(document["problems"][1]["default_won"], true);
  const Json nothing = tool::report_document({});
  EXPECT_TRUE(nothing["problems"].empty());
  EXPECT_TRUE(nothing["budget"].is_null());
}

TEST(ReportTest, TheDocumentHasEveryTrialTheBestSoFarAndTheFailures) {
  const TuneResult result = multiply_result();
  const Json problem = problem_of(result);
  ASSERT_EQ(problem["trials"].size(), result.trials.size());
  std::vector<std::size_t> improvements;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < result.trials.size(); i++) {
    const Trial& trial = result.trials[i];
    const Json& json = problem["trials"][i];
    EXPECT_EQ(json["kernel"], trial.kernel.variant);
    EXPECT_EQ(json["parameters"].get<Parameters>(), trial.kernel.parameters);
    EXPECT_EQ(json["outcome"], to_string(trial.outcome));
    ASSERT_EQ(json["seconds"].is_null(), !trial.good()) << i;
    if (!trial.good()) continue;
    EXPECT_NEAR(json["seconds"].get<double>(), trial.seconds(), 1e-5 * trial.seconds());
    if (trial.seconds() < best) improvements.push_back(i);
    best = std::min(best, trial.seconds());
  }
  EXPECT_EQ(problem["improvements"].get<std::vector<std::size_t>>(), improvements);
  ASSERT_EQ(problem["failures"].size(), 4U);
  EXPECT_EQ(problem["failures"][1]["outcome"], "build timeout");
  EXPECT_EQ(problem["failures"][1]["count"], 4);
  EXPECT_EQ(problem["failures"][1]["reason"], "the compiler took over 20 s");
  EXPECT_EQ(problem_of(edge_case_result())["earlier"], 4);
}

TEST(ReportTest, TheRooflineIsThatOfTheProblem) {
  const TuneResult result = multiply_result();
  const Json roofline = problem_of(result)["roofline"];
  const double flops = 2 * std::pow(2048, 3), intensity = flops / (3 * 4 * 2048.0 * 2048);
  EXPECT_DOUBLE_EQ(roofline["intensity"], intensity);
  EXPECT_DOUBLE_EQ(roofline["ridge"], 12.5);
  EXPECT_DOUBLE_EQ(roofline["limit"], 5e13);
  EXPECT_DOUBLE_EQ(roofline["default"], flops / 3.1e-3);
  EXPECT_DOUBLE_EQ(roofline["tuned"], flops / result.best_seconds);
  EXPECT_DOUBLE_EQ(problem_of(result, Peak{5e13, 1e9})["roofline"]["limit"], 1e9 * intensity);
  EXPECT_TRUE(problem_of(result, {})["roofline"].is_null());
  EXPECT_TRUE(problem_of(failed_result())["roofline"].is_null());
}

/// Each of the times `repeats` times.
Json variant_of(const std::vector<std::pair<Parameters, double>>& times, int repeats = 1) {
  TuneResult result = single_result();
  result.trials.clear();
  for (int i = 0; i < repeats; i++) {
    for (const auto& [parameters, seconds] : times)
      result.trials.push_back({.kernel = {"made_up", parameters}, .reason = {}, .runs = {seconds}});
  }
  return problem_of(result)["variants"][0];
}

TEST(ReportTest, AParametersShareIsTheVarianceThatItsValuesExplain) {
  const std::vector<std::pair<Parameters, double>> times = {{{{"A", 1}, {"B", 1}, {"C", 7}}, 1e-3},
                                                            {{{"A", 1}, {"B", 2}, {"C", 7}}, 2e-3},
                                                            {{{"A", 2}, {"B", 1}, {"C", 7}}, 1e-2},
                                                            {{{"A", 2}, {"B", 2}, {"C", 7}}, 2e-2}};
  const Json parameters = variant_of(times, 13)["parameters"];
  ASSERT_EQ(parameters.size(), 2U) << "C has one value only";
  EXPECT_EQ(parameters[0]["name"], "A");
  const double a = std::log(10) * std::log(10), b = std::log(2) * std::log(2);
  EXPECT_NEAR(parameters[0]["share"].get<double>(), a / (a + b), 1e-5);
  EXPECT_NEAR(parameters[1]["share"].get<double>(), b / (a + b), 1e-5);
  const Json few = variant_of(times)["parameters"];
  EXPECT_TRUE(few[0]["share"].is_null()) << "of four trials";
  EXPECT_EQ(few[0]["values"][1]["timed"], 2);
  EXPECT_EQ(few[0]["values"][1]["seconds"], Json({1e-2, 1.25e-2, 1.5e-2, 1.75e-2, 2e-2}));
  EXPECT_GT(problem_of(multiply_result())["variant_share"], 0.5);
  EXPECT_TRUE(problem_of(row_sum_result())["variant_share"].is_null()) << "of one variant";
}

TEST(ReportTest, ASizeHasItsFastestTrial) {
  const Json sizes = variant_of({{{{"TILE_M", 32}, {"TILE_N", 64}, {"X", 1}}, 3e-3},
                                 {{{"TILE_M", 32}, {"TILE_N", 64}, {"X", 2}}, 2e-3},
                                 {{{"TILE_M", 64}, {"TILE_N", 32}, {"X", 1}}, 4e-3}})["sizes"];
  EXPECT_EQ(sizes["width"], "TILE_N");
  EXPECT_EQ(sizes["height"], "TILE_M");
  EXPECT_EQ(sizes["cells"], Json({nullptr, 1, 2, nullptr}));
  const Json line = variant_of({{{{"TILE_N", 8}}, 1e-3}, {{{"TILE_N", 16}}, 2e-3}})["sizes"];
  EXPECT_TRUE(line["height"].is_null());
  EXPECT_EQ(line["cells"], Json({0, 1}));
  const Json square = variant_of({{{{"TILE", 8}}, 1e-3}, {{{"TILE", 16}}, 2e-3}})["sizes"];
  EXPECT_EQ(square["cells"], Json({0, nullptr, nullptr, 1}));
}

TEST(ReportTest, ThePageHasTheDocumentIntactWhateverItsTextsAre) {
  TuneResult result = edge_case_result();
  const std::string hostile = "</script><!--<script>alert(1)</script>]]>&amp;\"'\\u003c{{x}}";
  result.trials[2].kernel.variant = hostile + '\xff';
  result.trials[2].reason = hostile;
  const std::vector<tool::TunedProblem> problems = {{result, kPeak}, {multiply_result(), {}}};
  const std::string page = tool::html_report(problems, {.command = hostile});
  EXPECT_EQ(page, tool::html_report(problems, {.command = hostile}));
  const Json document = document_in(page);
  EXPECT_EQ(document["command"], hostile);
  const Json& failure = document["problems"][0]["failures"][0];
  EXPECT_EQ(failure["reason"], hostile);
  EXPECT_EQ(failure["kernel"], hostile + "\ufffd") << "a byte of no character";
}

TEST(ReportTest, UnusableNumbersAreNull) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {kNan, kInfinity, -kInfinity, 0.0, -1.0}) {
    for (const Peak& peak : {Peak{odd, odd}, Peak{1e12, odd}, Peak{odd, 1e12}}) {
      const std::vector<tool::TunedProblem> problems = {{odd_result(odd), peak}};
      const Json problem = document_in(tool::html_report(problems))["problems"][0];
      EXPECT_TRUE(problem["trials"][0]["seconds"].is_null()) << odd;
      EXPECT_TRUE(problem["roofline"].is_null()) << odd;
      EXPECT_EQ(problem["elapsed"].is_null(), !std::isfinite(odd)) << odd;
    }
  }
}

TEST(ReportTest, ThePageNeedsNothingElse) {
  const std::string page = tool::html_report({});
  for (const char* word : {"http:", "https:", "src=", "url(", "@import", "import(", "fetch(",
                           "<link", "<img", "<iframe", "innerHTML", "eval("})
    EXPECT_EQ(page.find(word), page.npos) << word;
  EXPECT_EQ(page.find("{{"), page.npos) << "a part is missing";
  for (const char* part : {"<!DOCTYPE html>", "default-src 'none'", "<noscript>", "</html>"})
    EXPECT_NE(page.find(part), page.npos) << part;
}

}  // namespace
}  // namespace tessera::test
