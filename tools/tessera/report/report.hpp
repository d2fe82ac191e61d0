// Report: tunings as one page of HTML that needs nothing else, no script among it.
#pragma once

#include <span>
#include <string>

#include "report/report_card.hpp"

namespace tessera::tool {

/// What made a report.
struct ReportOrigin {
  std::string command = {};  ///< the command line
  double budget = 0;         ///< seconds; 0: not known
  double date = 0;           ///< seconds since 1970; 0: not known
};

/// A section for each problem: the outcome, and charts that say what mattered. The same arguments
/// give the same bytes.
std::string html_report(std::span<const TunedProblem> problems, const ReportOrigin& origin = {});

}  // namespace tessera::tool
