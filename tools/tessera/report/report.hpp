// Report: tunings as one page of HTML that needs nothing else, no script among it.
#pragma once

#include <span>
#include <string>

#include "report/report_card.hpp"

namespace tessera::tool {

/// A section for each problem: the outcome, and charts that say what mattered. The same results
/// give the same bytes.
std::string html_report(std::span<const TunedProblem> problems);

}  // namespace tessera::tool
