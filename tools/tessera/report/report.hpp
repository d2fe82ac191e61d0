// Report: tunings as one HTML page that needs no other file and no network.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "report/tune_card.hpp"

namespace tessera::tool {

/// The command, budget and date of the tuning that a report shows.
struct ReportOrigin {
  std::string command = {};  ///< the command line
  double budget = 0;         ///< seconds; 0: not known
  double date = 0;           ///< seconds since 1970; 0: not known
};

/// The report's data, analysis included; docs/report.md describes its keys.
nlohmann::ordered_json report_document(std::span<const TunedProblem> problems,
                                       const ReportOrigin& origin = {});

/// The page with the document in it. The same arguments give the same bytes.
std::string html_report(std::span<const TunedProblem> problems, const ReportOrigin& origin = {});

/// The page of report/page/ as one file, with "{{document}}" in place of the document.
std::string_view report_page();

}  // namespace tessera::tool
