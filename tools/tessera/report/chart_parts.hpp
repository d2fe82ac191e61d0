// Chart parts: what the charts share.
#pragma once

#include <string>
#include <string_view>
#include <tessera/tune.hpp>

#include "report/axis.hpp"

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
/// The names of the axes: below the right end of the one, above the top of the other.
std::string axis_names(std::string_view across, std::string_view up, double height);
/// <figure> of a class with a caption.
std::string figure(std::string_view caption, std::string_view content, std::string_view kind = "");

}  // namespace tessera::tool
