// What the parameters do to the time: their spread by value, and how much each explains.
#include <fmt/format.h>

#include <algorithm>

#include "figures.hpp"
#include "report/chart_parts.hpp"
#include "report/charts.hpp"
#include "report/markup.hpp"

namespace tessera::tool {
namespace {

constexpr double kPlotHeight = 130;

struct MatrixLayout {
  const Axis& axis;
  double x, half;  // of the plot's width

  double y(double seconds) const { return kPlotHeight * (1 - axis.at(seconds)); }
};

/// Best to worst as a line, the middle half as a box, median and best as marks.
std::string box(const ValueTimes& times, const MatrixLayout& place, bool chosen) {
  const std::string x = percent(place.x);
  const double top = place.y(times.at(0.75)), bottom = place.y(times.at(0.25));
  const std::string left = percent(place.x - place.half), right = percent(place.x + place.half);
  const double median = place.y(times.at(0.5));
  const std::string shapes =
      hint(fmt::format("{}: best {}, median {}, of {} timed", times.value,
                       text_of_seconds(times.at(0)), text_of_seconds(times.at(0.5)),
                       times.seconds.size())) +
      leaf("line", {{"class", "whisker"},
                    {"x1", x},
                    {"x2", x},
                    {"y1", place.y(times.at(1))},
                    {"y2", place.y(times.at(0))}}) +
      leaf("rect", {{"class", "box"},
                    {"x", left},
                    {"width", percent(2 * place.half)},
                    {"y", top},
                    {"height", std::max(bottom - top, 1.0)},
                    {"rx", 2.0}}) +
      leaf("line",
           {{"class", "median"}, {"x1", left}, {"x2", right}, {"y1", median}, {"y2", median}}) +
      leaf("circle", {{"class", "top"}, {"cx", x}, {"cy", place.y(times.at(0))}, {"r", 3.5}}) +
      element("text", {{"class", "middle"}, {"x", x}, {"y", kPlotHeight + 18}},
              fmt::format("{}", times.value));
  return element("g", {{"class", chosen ? "value chosen" : "value"}}, shapes);
}

std::string spread(const ParameterTimes& parameter, const Axis& axis, const KernelChoice& best) {
  std::string content = grid_of_seconds(axis, kPlotHeight) +
                        axis_names(parameter.name, "time of a call", kPlotHeight);
  const auto chosen = best.parameters.find(parameter.name);
  const double step = 1 / static_cast<double>(parameter.values.size());
  double x = step / 2;
  for (const ValueTimes& times : parameter.values) {
    const bool is_chosen = chosen != best.parameters.end() && chosen->second == times.value;
    content += box(times, {axis, x, std::min(0.28 * step, 0.07)}, is_chosen);
    x += step;
  }
  return figure(element("code", {}, escaped(parameter.name)),
                plot("Time by " + parameter.name, kPlotHeight, content));
}

std::string bar(std::string_view label, double share) {
  return element(
      "tr", {},
      element("th", {}, label) +
          element(
              "td", {{"class", "wide"}},
              element("svg", {{"class", "bar"}, {"height", 14.0}, {"role", "img"}},
                      leaf("rect",
                           {{"class", "track"}, {"width", "100%"}, {"height", 14.0}, {"rx", 3.0}}) +
                          leaf("rect", {{"class", "fill"},
                                        {"width", percent(share)},
                                        {"height", 14.0},
                                        {"rx", 3.0}}))) +
          element("td", {{"class", "number"}}, fmt::format("{:.0f} %", 100 * share)));
}

}  // namespace

std::string parameter_charts(const std::vector<ParameterTimes>& parameters,
                             const KernelChoice& best) {
  std::vector<double> seconds;
  for (const ParameterTimes& parameter : parameters) {
    for (const ValueTimes& value : parameter.values)
      seconds.insert(seconds.end(), {value.at(0), value.at(1)});
  }
  const Axis axis = Axis::around(seconds);
  std::string figures;
  for (const ParameterTimes& parameter : parameters) figures += spread(parameter, axis, best);
  return element("div", {{"class", "multiples"}}, figures);
}

std::string importance_chart(const std::vector<ParameterTimes>& parameters,
                             std::optional<double> variant) {
  std::string rows;
  if (variant) rows += bar("which variant", *variant);
  for (const ParameterTimes& parameter : parameters)
    rows += bar(element("code", {}, escaped(parameter.name)), parameter.importance);
  if (rows.empty()) return {};
  return figure(
      "The share of the variance of the times&#39; logarithms that each choice explains by itself, "
      "among what was tried. Choices depend on each other: the shares overlap, and their sum can "
      "exceed 100 %.",
      element("table", {{"class", "bars"}}, rows));
}

}  // namespace tessera::tool
