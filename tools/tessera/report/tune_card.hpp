// Tune card: what a tuning came to, as text for a terminal and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tessera/tune.hpp>

namespace tessera::tool {

/// Some lines, each with its subject in front: device, plan, default, tuned, tried, finals,
/// checked, result.
std::string tune_card(const TuneResult& result, const std::optional<Peak>& peak = {});

/// The same as data; times are in seconds, null where there is none.
nlohmann::ordered_json tune_json(const TuneResult& result, const std::optional<Peak>& peak = {});

}  // namespace tessera::tool
