// Tune card: what a tuning came to, as text for a terminal and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tessera/tune.hpp>

#include "terminal.hpp"

namespace tessera::tool {

struct TunedProblem {
  TuneResult result;
  std::optional<Peak> peak = {};  ///< the device's, for the type of the problem
};

/// Some lines, each with its subject in front: device, plan, default, tuned, nearby, tried,
/// finals, checked, result. What does not fit into `columns` goes below the line's first word.
std::string tune_card(const TuneResult& result, const std::optional<Peak>& peak = {},
                      std::size_t columns = kUnlimited);

/// A table: what came of each problem, in at most 80 columns for usual problems.
std::string tune_summary(std::span<const TunedProblem> problems);

/// The tune card as JSON. Times are in seconds, null if unknown.
nlohmann::ordered_json tune_json(const TuneResult& result, const std::optional<Peak>& peak = {});

}  // namespace tessera::tool
