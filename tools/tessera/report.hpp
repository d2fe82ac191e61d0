// Report: tunings as one page of HTML that needs nothing else, no script among it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tessera/tune.hpp>

namespace tessera::tool {

struct TunedProblem {
  TuneResult result;
  std::optional<Peak> peak = {};  ///< the device's, for the type of the problem
};

/// A section for each problem: the outcome, and charts that say what mattered. The same results
/// give the same bytes.
std::string html_report(std::span<const TunedProblem> problems);

/// Headline, winner, finals; of one problem. For the report itself.
std::string report_card(const TunedProblem& problem);
/// What went wrong, and how often.
std::string failure_table(const TuneResult& result);
/// The page's style sheet.
extern const char* const kReportStyle;

}  // namespace tessera::tool
