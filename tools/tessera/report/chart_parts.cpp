// Parts that the charts share.
#include "report/chart_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/markup.hpp"

namespace tessera::tool {

std::string class_of(Outcome outcome) {
  std::string text = fmt::format("o-{}", name(outcome));
  std::ranges::replace(text, ' ', '-');
  return text;
}

std::string hint(std::string_view text) { return element("title", {}, escaped(text)); }

std::string plot(std::string_view label, double height, std::string_view content) {
  return element("svg",
                 {{"class", "plot"}, {"height", height}, {"role", "img"}, {"aria-label", label}},
                 content);
}

std::string grid_of_seconds(const Axis& axis, double height) {
  std::string lines;
  for (const double tick : axis.ticks()) {
    const double y = height * (1 - axis.at(tick));
    lines += leaf("line", {{"class", "grid"}, {"x1", "0%"}, {"x2", "100%"}, {"y1", y}, {"y2", y}});
    lines += element("text", {{"class", "left"}, {"x", -8.0}, {"y", y + 4}},
                     escaped(tick_of_seconds(tick)));
  }
  return lines;
}

std::string axis_names(std::string_view across, std::string_view up, double height) {
  return element("text", {{"class", "end name"}, {"x", "100%"}, {"y", height + 34}},
                 escaped(across)) +
         element("text", {{"class", "name"}, {"x", -60.0}, {"y", -10.0}}, escaped(up));
}

std::string figure(std::string_view caption, std::string_view content, std::string_view kind) {
  return element("figure", {{"class", kind}},
                 element("figcaption", {}, caption) + std::string(content));
}

}  // namespace tessera::tool
