// The report: well-formed, escaped, complete, the same every time.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis.hpp"
#include "report/axis.hpp"
#include "report/markup.hpp"
#include "sample_results.hpp"
#include "text.hpp"

namespace tessera::test {
namespace {

using tool::html_report;

std::string report_of(const TuneResult& result,
                      const std::optional<Peak>& peak = Peak{5e13, 4e12}) {
  return html_report(std::vector<tool::TunedProblem>{{result, peak}});
}

/// Checks markup: tags match, texts have no '<' or '&', attributes have quotes, numbers are finite.
/// Empty if nothing is wrong.
class Checker {
 public:
  explicit Checker(std::string_view text) : rest_(text) {}

  std::string complaint() {
    if (!skip("<!DOCTYPE html>\n")) return "no document type";
    while (!rest_.empty() && complaint_.empty()) step();
    if (complaint_.empty() && !open_.empty()) complaint_ = open_.back() + " stays open";
    return complaint_;
  }

 private:
  bool skip(std::string_view prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }
  std::string_view until(std::string_view stops) {
    const auto text = rest_.substr(0, std::min(rest_.find_first_of(stops), rest_.size()));
    rest_.remove_prefix(text.size());
    return text;
  }
  void complain(const std::string& what) {
    if (complaint_.empty()) complaint_ = what + " before: " + std::string(rest_.substr(0, 60));
  }

  void step() {
    if (skip("</")) {
      const std::string tag(until(">"));
      if (!skip(">") || open_.empty() || open_.back() != tag)
        return complain("no " + tag + " open");
      open_.pop_back();
    } else if (skip("<")) {
      start();
    } else {
      check_text(until("<"));
    }
  }

  void start() {
    const std::string tag(until(" />"));
    static const std::set<std::string> kTags = {
        "html",  "head",  "meta", "title", "style",  "body",   "header",     "section", "footer",
        "div",   "h1",    "h2",   "h3",    "p",      "a",      "b",          "strong",  "em",
        "small", "br",    "code", "pre",   "span",   "ul",     "li",         "dl",      "dt",
        "dd",    "table", "tr",   "th",    "td",     "figure", "figcaption", "details", "summary",
        "svg",   "g",     "line", "rect",  "circle", "text"};
    if (!kTags.contains(tag)) return complain("the tag " + tag);
    while (skip(" ")) {
      const std::string name(until("=<>\" "));
      if (!skip("=\"")) return complain("an attribute " + name + " without a quote");
      check_value(name, until("\""));
      if (!skip("\"")) return complain("an attribute " + name + " without an end");
    }
    if (skip("/>")) return;
    if (!skip(">")) return complain("no end of " + tag);
    open_.push_back(tag);
  }

  void check_value(const std::string& name, std::string_view value) {
    check_text(value);
    static const std::set<std::string> kNumbers = {"x",  "y",     "x1",     "x2",          "y1",
                                                   "y2", "cx",    "cy",     "r",           "rx",
                                                   "dx", "width", "height", "fill-opacity"};
    if (name.starts_with("on") || value.find("url(") != value.npos) complain("code in " + name);
    if (!kNumbers.contains(name)) return;
    if (value.ends_with('%')) value.remove_suffix(1);
    if (value.empty() || value.find_first_not_of("0123456789.-") != value.npos)
      complain(name + " is " + std::string(value));
  }

  void check_text(std::string_view text) {
    if (tool::valid_utf8(text) != text) complain("bytes that are no UTF-8");
    if (!open_.empty() && open_.back() == "style") return;
    for (std::size_t i = 0; i < text.size(); i++) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (text[i] == '>' || (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f)
        complain("a character that is not escaped");
      if (text[i] != '&') continue;
      const std::string_view entity = text.substr(i, text.find(';', i) - i);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot" &&
          entity != "&#39")
        complain("an & that is not escaped");
    }
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::string complaint_;
};

std::vector<TuneResult> all_results() {
  return {multiply_result(), transposed_result(), row_sum_result(), edge_case_result(),
          empty_result(),    failed_result(),     single_result()};
}

TEST(ReportTest, IsWellFormed) {
  std::vector<tool::TunedProblem> all;
  for (const TuneResult& result : all_results()) {
    EXPECT_EQ(Checker(report_of(result)).complaint(), "") << describe(result.problem);
    EXPECT_EQ(Checker(report_of(result, {})).complaint(), "") << describe(result.problem);
    all.push_back({result, std::nullopt});
  }
  EXPECT_EQ(Checker(html_report(all)).complaint(), "");
  EXPECT_EQ(Checker(html_report({})).complaint(), "");
}

TEST(ReportTest, StaysWellFormedWhereNumbersAreNone) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {kNan, kInfinity, -kInfinity, 0.0, -1.0, 1e-300, 1e300}) {
    TuneResult result = multiply_result();
    result.default_seconds = result.best_seconds = result.elapsed = odd;
    result.speedup = result.speedup_lower = result.speedup_upper = odd;
    for (std::size_t i = 0; i < result.trials.size(); i += 3) result.trials[i].runs = {odd};
    for (Finalist& finalist : result.finalists)
      finalist.seconds = finalist.lower = finalist.ratio_lower = odd;
    result.problem.m = 0;
    for (const Peak& peak : {Peak{odd, odd}, Peak{1e12, odd}, Peak{odd, 1e12}, Peak{0, 1e12}})
      EXPECT_EQ(Checker(report_of(result, peak)).complaint(), "") << odd;
  }
}

TEST(ReportTest, NeedsNothingFromOutside) {
  const std::string report = report_of(edge_case_result());
  for (const char* word :
       {"<script", "<link", "<img", "<iframe", "http:", "https:", "url(", "@import", "src="})
    EXPECT_EQ(report.find(word), std::string::npos) << word;
  EXPECT_NE(report.find("&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)"), std::string::npos);
  EXPECT_NE(report.find("µ é 漢字 🙂 ]]&gt; --&gt;"), std::string::npos);
}

TEST(ReportTest, ShowsWhatThereIs) {
  const std::string report = report_of(multiply_result());
  for (const char* part :
       {"multiply float 2048 x 2048 x 2048", "11.9 TFLOP/s", "2.14 ×", "% of the peak", "Finals",
        "<em>tied</em>", "The search", "What mattered", "Roofline", "Sizes of work-groups",
        "Times by parameter", "Failures", "the compiler took over 20 s", "saved in /home/user"})
    EXPECT_NE(report.find(part), std::string::npos) << part;
  const std::string failed = report_of(failed_result());
  for (const char* part : {"The search", "Roofline", "What mattered", "Finals"})
    EXPECT_EQ(failed.find(part), std::string::npos) << part;
  EXPECT_NE(failed.find("CL_COMPILER_NOT_AVAILABLE"), std::string::npos);
}

TEST(ReportTest, IsTheSameEveryTime) {
  EXPECT_EQ(report_of(multiply_result()), report_of(multiply_result()));
}

TuneResult timed_result(const std::vector<std::pair<Parameters, double>>& times) {
  TuneResult result = single_result();
  result.trials.clear();
  for (const auto& [parameters, seconds] : times)
    result.trials.push_back({.kernel = {"made_up", parameters}, .reason = {}, .runs = {seconds}});
  return result;
}

TEST(AnalysisTest, ImportanceIsTheShareOfVarianceThatValuesExplain) {
  const TuneResult result = timed_result({{{{"A", 1}, {"B", 1}, {"C", 7}}, 1e-3},
                                          {{{"A", 1}, {"B", 2}, {"C", 7}}, 2e-3},
                                          {{{"A", 2}, {"B", 1}, {"C", 7}}, 1e-2},
                                          {{{"A", 2}, {"B", 2}, {"C", 7}}, 2e-2}});
  const auto parameters = tool::by_parameter(tool::by_variant(result)[0].trials);
  ASSERT_EQ(parameters.size(), 2u) << "C has one value only";
  EXPECT_EQ(parameters[0].name, "A");
  const double a = std::log(10) * std::log(10), b = std::log(2) * std::log(2);
  EXPECT_NEAR(parameters[0].importance, a / (a + b), 1e-9);
  EXPECT_NEAR(parameters[1].importance, b / (a + b), 1e-9);
  EXPECT_DOUBLE_EQ(parameters[0].values[1].at(0.5), 1.5e-2);
}

TEST(AnalysisTest, HeatMapHasTheBestOfEachSize) {
  const TuneResult result = timed_result({{{{"TILE_M", 32}, {"TILE_N", 64}, {"X", 1}}, 3e-3},
                                          {{{"TILE_M", 32}, {"TILE_N", 64}, {"X", 2}}, 2e-3},
                                          {{{"TILE_M", 64}, {"TILE_N", 32}, {"X", 1}}, 4e-3}});
  const auto map = tool::heat_map(tool::by_variant(result)[0]);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->width, "TILE_N");
  EXPECT_EQ(map->height, "TILE_M");
  EXPECT_EQ(map->cells[1].best, &result.trials[1]);
  EXPECT_EQ(map->cells[2].best, &result.trials[2]);
  EXPECT_EQ(map->cells[0].tried, nullptr);
}

TEST(AnalysisTest, ATileWithoutAHeightIsALine) {
  const auto heights = [](const std::string& parameter) {
    const TuneResult result = timed_result({{{{parameter, 8}}, 1e-3}, {{{parameter, 16}}, 2e-3}});
    return tool::heat_map(tool::by_variant(result)[0])->heights.size();
  };
  EXPECT_EQ(heights("TILE"), 2u) << "a square";
  EXPECT_EQ(heights("TILE_N"), 1u);
}

TEST(AxisTest, TicksAreRoundAndFew) {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{
           {1e-3, 1.1e-3}, {1e-3, 9e-3}, {1.3e-6, 4.5}, {1e-12, 1e12}, {1, 1}}) {
    for (const tool::Axis& axis :
         {tool::Axis::linear(low, high), tool::Axis::logarithmic(low, high)}) {
      const auto ticks = axis.ticks();
      EXPECT_GE(ticks.size(), 1u) << low << ' ' << high;
      EXPECT_LE(ticks.size(), 7u) << low << ' ' << high;
    }
  }
}

TEST(TextTest, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(tool::valid_utf8("a\xe2\x82"), "a\xef\xbf\xbd");
  EXPECT_EQ(tool::valid_utf8("\xff\x80z"), "\xef\xbf\xbdz");
  EXPECT_EQ(tool::valid_utf8("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"),
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(tool::valid_utf8("µ 漢 🙂"), "µ 漢 🙂");
}

TEST(TextTest, ALineHasNoControls) {
  EXPECT_EQ(tool::one_line("a\n\x1b[0m\x7f"), "a\\x0a\\x1b[0m\\x7f");
  // U+009B is CSI; Ü ends in the byte of a C1 control, U+00A0 comes after the last of them.
  EXPECT_EQ(tool::one_line("\u009b31m\u0080\u009f"), "\\x9b31m\\x80\\x9f");
  EXPECT_EQ(tool::one_line("Ü µ 漢 🙂\u00a0"), "Ü µ 漢 🙂\u00a0");
  EXPECT_EQ(tool::one_line("\x9bK\xc2"), "\ufffdK\ufffd") << "bytes of no character";
}

}  // namespace
}  // namespace tessera::test
