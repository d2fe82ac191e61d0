// The card of a tuning: lines for a terminal, and its JSON.
#include "report/tune_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "figures.hpp"
#include "sample_results.hpp"

namespace tessera::test {
namespace {

using tool::tune_card;
using tool::tune_json;

constexpr Peak kPeak{58.9e12, 4.1e12};

/// The card has a line for the subject, with these facts.
void expect_line(const std::string& card, const std::string& subject,
                 const std::vector<std::string>& facts = {}) {
  const std::size_t from = ('\n' + card).find('\n' + subject + ' ');
  ASSERT_NE(from, card.npos) << subject << " in\n" << card;
  const std::string line = card.substr(from, card.find('\n', from) - from);
  for (const std::string& fact : facts)
    EXPECT_NE(line.find(fact), line.npos) << fact << '\n' << line;
}

TEST(TuneCardTest, HasALineForEachSubject) {
  const std::string card = tune_card(multiply_result(), kPeak);
  expect_line(card, "device",
              {"Sample Accelerator 100", "570.86", "132", "48 KiB", "58.9 TFLOP/s", "4.10 TB/s"});
  expect_line(card, "plan", {"multiply float 2048 x 2048 x 2048", "135", "model", "seed 7"});
  expect_line(card, "default", {"5.54 TFLOP/s", "9.41 %", "3.10 ms", "register_tiled TILE_K=8"});
  expect_line(
      card, "tuned",
      {"11.9 TFLOP/s", "20.2 %", "1.45 ms", "2.14 x", "2.11 to 2.18", "register_tiled TILE_K=16"});
  expect_line(card, "nearby", {"0.60 to 1.06", "2 problems"});
  expect_line(card, "tried", {"135 of 135", "119 s", "12 ok", "115 slow", "1 build failed"});
  expect_line(card, "finals", {"#1 1.45 ms ± 0.5 %", "#2 1.45 ms ± 0.5 % (tied)"});
  expect_line(card, "checked", {"9 products of odd sizes"});
  expect_line(card, "result", {"saved in /home/user/"});
}

TEST(TuneCardTest, TooFewRoundsHaveTheirOwnWord) {
  TuneResult result = multiply_result();
  result.finalists[1].tied = false;
  result.finalists[1].ratio_lower = 0;
  result.finalists[1].ratio_upper = INFINITY;
  expect_line(tune_card(result), "finals", {"#2 1.45 ms ± 0.5 % (too few rounds)"});
}

TEST(TuneCardTest, SaysNothingOfWhatIsNotThere) {
  const std::string card = tune_card(empty_result());
  EXPECT_EQ(std::ranges::count(card, '\n'), 3) << card;
  for (const char* subject : {"plan", "tried", "result"}) expect_line(card, subject);
  EXPECT_EQ(tune_card(single_result()).find("peak"), std::string::npos);
}

TEST(TuneCardTest, ADefaultThatWonIsNoSpeedup) {
  const std::string card = tune_card(row_sum_result(), kPeak);
  EXPECT_NE(card.find("\ntuned     the default won\n"), std::string::npos) << card;
  EXPECT_EQ(card.find(" x the default"), std::string::npos) << card;
}

TEST(TuneCardTest, ASingleRoundHasNoInterval) {
  TuneResult result = multiply_result();
  for (Finalist& finalist : result.finalists) finalist.lower = finalist.upper = finalist.seconds;
  result.speedup_lower = 0;
  result.speedup_upper = INFINITY;
  const std::string card = tune_card(result, kPeak);
  EXPECT_EQ(card.find("±"), std::string::npos) << card;
  EXPECT_NE(card.find("2.14 x the default (too few rounds): "), std::string::npos) << card;
}

TEST(TuneCardTest, OneIsSingular) {
  const std::string card = tune_card(single_result());
  EXPECT_NE(card.find(": 1 configuration, "), std::string::npos) << card;
  EXPECT_NE(card.find("1 of 1 configuration in"), std::string::npos) << card;
}

TEST(TuneCardTest, FitsIntoATerminalInWholeWords) {
  const std::string whole = tune_card(multiply_result(), kPeak),
                    narrow = tune_card(multiply_result(), kPeak, 80);
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  EXPECT_GT(lines(narrow), lines(whole));
  std::istringstream words_of_whole(whole), words_of_narrow(narrow);
  std::string word, same;
  while (words_of_whole >> word) {
    words_of_narrow >> same;
    EXPECT_EQ(word, same);
  }
  std::istringstream stream(narrow);
  for (std::string line; std::getline(stream, line);)
    EXPECT_EQ(tool::cut(line, 80), line) << "it has more characters";
}

TEST(TuneSummaryTest, HasALineForEachProblem) {
  TuneResult saved = multiply_result();
  saved.saved.emplace();
  std::vector<tool::TunedProblem> problems;
  for (const TuneResult& result :
       {saved, transposed_result(), row_sum_result(), failed_result(), empty_result()})
    problems.push_back({result, kPeak});
  const std::string summary = tool::tune_summary(problems);
  EXPECT_EQ(std::ranges::count(summary, '\n'), 6) << summary;
  for (const char* part :
       {"11.9 TFLOP/s   2.14 x  register_tiled won\n", "  register_tiled, not saved\n",
        "the default won\n", "-           no winner\n", "-           none was tried\n"})
    EXPECT_NE(summary.find(part), std::string::npos) << part << " in\n" << summary;
}

TEST(TuneCardTest, ControlsDoNotReachTheTerminal) {
  const std::string card = tune_card(edge_case_result());
  EXPECT_TRUE(std::ranges::none_of(card, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == '\x7f';
  })) << card;
  EXPECT_NE(card.find("\\x1b[31mred"), std::string::npos);
}

TEST(TuneCardTest, JsonTellsTheSame) {
  const auto json = tune_json(multiply_result(), kPeak);
  EXPECT_EQ(json["problem"]["op"], "multiply");
  EXPECT_EQ(json["problem"]["m"], 2048);
  EXPECT_EQ(json["tuned"]["kernel"], "register_tiled");
  EXPECT_EQ(json["tuned"]["parameters"]["TILE_M"], 128);
  EXPECT_EQ(json["tuned"]["rate_unit"], "FLOP/s");
  EXPECT_NEAR(json["speedup"].get<double>(), 2.14, 0.01);
  EXPECT_EQ(json["outcomes"]["slow"], 115);
  EXPECT_EQ(json["finalists"].size(), 6u);
  EXPECT_EQ(json["finalists"][1]["tied"], true);
  EXPECT_EQ(json["neighbours"][1]["problem"]["m"], 1024);
  EXPECT_EQ(json["neighbours"][1]["ratio"], 1.06);
}

TEST(TuneCardTest, JsonCanAlwaysBeWritten) {
  for (const TuneResult& result :
       {edge_case_result(), empty_result(), failed_result(), single_result()})
    EXPECT_FALSE(tune_json(result).dump(2).empty());
  EXPECT_TRUE(tune_json(failed_result())["tuned"].is_null());
  EXPECT_TRUE(tune_json(failed_result())["speedup"].is_null());
}

TEST(FiguresTest, TimesAndRatesHaveThreeDigits) {
  EXPECT_EQ(tool::text_of_seconds(1.2345e-3), "1.23 ms");
  EXPECT_EQ(tool::text_of_seconds(84.2), "84.2 s");
  EXPECT_EQ(tool::text_of_seconds(125), "2 min 5 s");
  EXPECT_EQ(tool::text_of_seconds(7300), "2 h 1 min");
  EXPECT_EQ(tool::text_of_seconds(999.9e-6), "1.00 ms");
  EXPECT_EQ(tool::text_of_seconds(INFINITY), "-");
  EXPECT_EQ(tool::three_digits(47.94), "47.9");
  EXPECT_EQ(tool::three_digits(999.96), "1000");
  EXPECT_EQ(tool::three_digits(0.0321), "0.032");
}

}  // namespace
}  // namespace tessera::test
