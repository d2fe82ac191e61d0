// Report card: what a tuning came to, as the first part of its section of the report.
#pragma once

#include <optional>
#include <string>
#include <tessera/tune.hpp>

namespace tessera::tool {

struct TunedProblem {
  TuneResult result;
  std::optional<Peak> peak = {};  ///< the device's, for the type of the problem
};

/// Headline, winner, finals; of one problem.
std::string report_card(const TunedProblem& problem);
/// What went wrong, and how often.
std::string failure_table(const TuneResult& result);

}  // namespace tessera::tool
