// The report's charts: what they leave out, where their labels are, what their words mean.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "report/report.hpp"
#include "sample_results.hpp"

namespace tessera::test {
namespace {

using tool::html_report;

std::string page_of(const TuneResult& result) {
  return html_report(std::vector<tool::TunedProblem>{{result, Peak{5e13, 4e12}}});
}

TEST(ReportChartsTest, FewTrialsMakeNoShares) {
  TuneResult result = multiply_result();
  const auto percentages = [&] {
    const std::string report = page_of(result);
    const auto from = report.find("What mattered");
    const std::string part = report.substr(from, report.find("Roofline", from) - from);
    return std::pair(part.find(" %</td>") != part.npos, part.find("Too few trials") != part.npos);
  };
  EXPECT_EQ(percentages(), std::pair(true, false));
  result.trials.resize(49);
  EXPECT_EQ(percentages(), std::pair(false, true));
}

TEST(ReportChartsTest, WhatAVariantsFewTrialsSayIsLeftOut) {
  TuneResult result = multiply_result();
  std::size_t kept = 0;
  std::erase_if(result.trials, [&](const Trial& trial) {
    return trial.kernel.variant == result.best.variant && kept++ >= 20;
  });
  ASSERT_GE(result.trials.size(), 50U);
  const std::string report = page_of(result);
  EXPECT_NE(report.find("which variant</th>"), std::string::npos);
  EXPECT_NE(report.find("Too few trials for shares of the parameters of register_tiled"),
            std::string::npos);
  EXPECT_EQ(report.find("<th><code>TILE_M"), std::string::npos);
}

/// The y of the labels of the roofline's points.
std::vector<double> label_heights(const std::string& report) {
  std::vector<double> heights;
  for (const char* label : {">default ", ">tuned "}) {
    const auto end = report.find(label, report.find("Roofline"));
    if (end == report.npos) continue;
    const auto y = report.rfind(" y=\"", end);
    heights.push_back(std::stod(report.substr(y + 4)));
  }
  return heights;
}

TEST(ReportChartsTest, LabelsOfTheRooflineAreApart) {
  TuneResult result = multiply_result();
  for (const double ratio : {0.9, 0.999, 1.0, 1.001, 1.1, 2.0}) {
    result.default_seconds = ratio * result.best_seconds;
    const auto heights = label_heights(page_of(result));
    ASSERT_EQ(heights.size(), 2U) << ratio;
    EXPECT_GE(std::abs(heights[0] - heights[1]), 15.9) << ratio;
  }
}

TEST(ReportChartsTest, ADefaultThatWonIsOnePoint) {
  const std::string report = page_of(row_sum_result());
  EXPECT_TRUE(label_heights(report).empty());
  EXPECT_NE(report.find(">the default: "), std::string::npos);
  EXPECT_EQ(report.find("1.00 ×"), std::string::npos);
}

TEST(ReportChartsTest, AFinalistThatIsFarBehindDoesNotSquashTheOthers) {
  TuneResult result = multiply_result();
  const auto widths = [&] {  // of the intervals, in percent
    const std::string report = page_of(result);
    std::vector<double> all;
    for (auto at = report.find("<svg class=\"interval\""); at != report.npos;
         at = report.find("<svg class=\"interval\"", at + 1)) {
      const auto from = report.find("x1=\"", at), to = report.find("x2=\"", at);
      if (from > report.find("</svg>", at)) continue;
      all.push_back(std::stod(report.substr(to + 4)) - std::stod(report.substr(from + 4)));
    }
    return all;
  };
  const auto before = widths();
  Finalist& last = result.finalists.back();
  last.seconds = last.lower = last.upper = 30 * result.best_seconds;
  auto after = widths();
  ASSERT_EQ(after.size() + 1, before.size()) << "it has a mark";
  for (const double width : after) EXPECT_GT(width, 10);
  EXPECT_NE(page_of(result).find("far behind"), std::string::npos);
}

TEST(ReportChartsTest, SaysWhatItsWordsMeanAndWhereItComesFrom) {
  const std::string report =
      html_report(std::vector<tool::TunedProblem>{{multiply_result(), Peak{5e13, 4e12}}},
                  {.command = "tessera tune <x>", .budget = 90, .date = 1767322800});
  for (const char* part :
       {"2026-01-02 03:00 UTC, budget 90.0 s, <code>tessera tune &lt;x&gt;</code>",
        "right, but given up", "time and its 95 % interval", ">configurations tried</text>",
        ">FLOP per byte</text>", ">time of a call</text>", ">winner</text>"})
    EXPECT_NE(report.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace tessera::test
