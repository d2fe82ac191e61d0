// Charts: a tuning in pictures, each a figure of HTML with an SVG that fits any width.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tessera/tune.hpp>

#include "analysis.hpp"
#include "axis.hpp"

namespace tessera::tool {

/// "o-build-failed": the class that has the outcome's colour.
std::string class_of(Outcome outcome);
/// <title>, which shows where the pointer rests.
std::string hint(std::string_view text);
/// An SVG as high as given and as wide as there is room; places along it are percentages. What is
/// left of 0 % and below its height are the axes' labels.
std::string plot(std::string_view label, double height, std::string_view content);
/// Lines at the ticks of a vertical axis of seconds, with their labels.
std::string grid_of_seconds(const Axis& axis, double height);
/// <figure> of a class with a caption.
std::string figure(std::string_view caption, std::string_view content, std::string_view kind = "");

/// All attempts in their order with the best so far; empty where none is timed.
std::string convergence_chart(const TuneResult& result);
/// How times spread over the values of each parameter.
std::string parameter_charts(const std::vector<ParameterTimes>& parameters,
                             const KernelChoice& best);
/// Bars: what each parameter explains.
std::string importance_chart(const std::vector<ParameterTimes>& parameters,
                             std::optional<double> variant);
/// The best time for each size of a work-group.
std::string heat_map_chart(const HeatMap& map, const VariantAttempts& variant, double best_seconds);
/// Default and winner under the device's limits; empty where these or the times are not known.
std::string roofline_chart(const TuneResult& result, const Peak& peak);

}  // namespace tessera::tool
