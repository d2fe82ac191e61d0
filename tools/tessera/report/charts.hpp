// Charts: a tuning in pictures, each a figure of HTML with an SVG that fits any width.
#pragma once

#include <optional>
#include <string>
#include <tessera/tune.hpp>

#include "report/analysis.hpp"

namespace tessera::tool {

/// All trials in their order with the best so far; empty where none is timed.
std::string convergence_chart(const TuneResult& result);
/// How times spread over the values of each parameter.
std::string parameter_charts(const std::vector<ParameterTimes>& parameters,
                             const KernelChoice& best);
/// Bars: what each parameter explains.
std::string importance_chart(const std::vector<ParameterTimes>& parameters,
                             std::optional<double> variant);
/// The best time for each size of a work-group.
std::string heat_map_chart(const HeatMap& map, const VariantTrials& variant, double best_seconds);
/// Default and winner under the device's limits; empty where these or the times are not known.
std::string roofline_chart(const TuneResult& result, const Peak& peak);

}  // namespace tessera::tool
