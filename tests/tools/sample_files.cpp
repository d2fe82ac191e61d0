// Writes the files of made-up tunings into a folder, for eyes and for other tools.
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>

#include "exports/kernel_tuner_cache.hpp"
#include "exports/t4.hpp"
#include "files/output_file.hpp"
#include "report/report.hpp"
#include "report/tune_card.hpp"
#include "sample_results.hpp"

namespace {

using namespace tessera;

void write_all(const std::filesystem::path& folder) {
  const auto write = [&](const char* name, const std::string& text) {
    tool::OutputFile(folder / name).write({text});
  };
  const std::vector<TuneResult> tuned = {test::multiply_result(), test::transposed_result(),
                                         test::row_sum_result()};
  const std::vector<TuneResult> edge_case = {test::edge_case_result()};
  const Peak peak{58.9e12, 4.1e12};
  std::vector<tool::TunedProblem> problems;
  for (const TuneResult& result : tuned) problems.push_back({result, peak});
  write("report.html", tool::html_report(problems));
  const auto report_of = [](const TuneResult& result) {
    return tool::html_report(std::vector<tool::TunedProblem>{{result}});
  };
  write("edge_case.html", report_of(edge_case[0]));
  write("empty.html", report_of(test::empty_result()));
  write("failed.html", report_of(test::failed_result()));
  write("single.html", report_of(test::single_result()));
  problems.clear();
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), 0.0, 1e-300, 1e300})
    problems.push_back({test::odd_result(odd), Peak{odd, 1e12}});
  write("odd.html", tool::html_report(problems));
  std::string cards;
  for (const TuneResult& result : tuned) cards += tool::tune_card(result, peak) + '\n';
  write("cards.txt",
        cards + tool::tune_card(edge_case[0]) + '\n' + tool::tune_card(test::empty_result()));
  write("t4.json", tool::t4_text(tuned));
  write("t4_edge_case.json", tool::t4_text(edge_case));
  write("cache.json", tool::kernel_tuner_cache(tuned[0]));
  write("cache_one_variant.json", tool::kernel_tuner_cache(tuned[2]));
  write("cache_edge_case.json", tool::kernel_tuner_cache(edge_case[0]));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) {
      std::cerr << "sample-files FOLDER\n";
      return 2;
    }
    write_all(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
