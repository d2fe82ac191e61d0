// Analysis: what the trials of a tuning say about its variants and their parameters, as JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <tessera/tune.hpp>

namespace tessera::tool {

/// Shares of the variance of fewer timed trials are noise.
constexpr std::size_t kTrialsForShares = 50;

/// The keys "variant_share" and "variants" of a report's problem.
nlohmann::ordered_json analysis_json(const TuneResult& result);

}  // namespace tessera::tool
