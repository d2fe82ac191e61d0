// Heat map: the best time for each width and height of a work-group or its block.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures.hpp"
#include "report/chart_parts.hpp"
#include "report/charts.hpp"
#include "report/markup.hpp"

namespace tessera::tool {
namespace {

constexpr double kRow = 44;

struct Unit {
  double factor;
  const char* name;
};
Unit unit_of(double seconds) {
  if (seconds >= 1) return {1, "s"};
  if (seconds >= 1e-3) return {1e3, "ms"};
  if (seconds >= 1e-6) return {1e6, "µs"};
  return {1e9, "ns"};
}

/// 1 for the best, less the slower; 0.06 for eight times as long.
double strength(double seconds, double best) {
  return std::clamp(1 - std::log(seconds / best) / std::log(8.0), 0.06, 1.0);
}

class Map {
 public:
  Map(const HeatMap& map, double best) : map_(map), best_(best), unit_(unit_of(best)) {}

  std::string chart() const {
    std::string content;
    for (std::size_t row = 0; row < map_.heights.size(); row++) {
      if (!map_.height.empty()) {
        content += element("text", {{"class", "left"}, {"x", -8.0}, {"y", kRow * top(row) + 27}},
                           fmt::format("{}", map_.heights[row]));
      }
      for (std::size_t column = 0; column < map_.widths.size(); column++)
        content += cell(row, column);
    }
    for (std::size_t column = 0; column < map_.widths.size(); column++) {
      content += element("text",
                         {{"class", "middle"},
                          {"x", percent(left(column) + 0.5 / columns())},
                          {"y", height() + 16}},
                         fmt::format("{}", map_.widths[column]));
    }
    return plot("Best time by size", height(), content);
  }

  const char* unit() const { return unit_.name; }

 private:
  double columns() const { return static_cast<double>(map_.widths.size()); }
  double height() const { return kRow * static_cast<double>(map_.heights.size()); }
  double left(std::size_t column) const { return static_cast<double>(column) / columns(); }
  /// Small heights are at the bottom.
  double top(std::size_t row) const { return static_cast<double>(map_.heights.size() - 1 - row); }

  std::string cell(std::size_t row, std::size_t column) const {
    const HeatMap::Cell& at = map_.cells[row * map_.widths.size() + column];
    const double shade = at.best ? strength(at.best->seconds(), best_) : 0;
    std::string kind = "cell empty", text, tip = "not tried";
    if (at.best) {
      kind = shade > 0.68 ? "cell strong" : "cell";
      text = three_digits(at.best->seconds() * unit_.factor);
      tip = text_of(at.best->kernel) + "\n" + text_of_seconds(at.best->seconds());
    } else if (at.tried) {
      kind = "cell failed " + class_of(at.tried->outcome);
      text = "×";
      tip = text_of(at.tried->kernel) + "\n" + std::string(name(at.tried->outcome));
    }
    return element("g", {{"class", kind}},
                   hint(tip) +
                       leaf("rect", {{"x", percent(left(column))},
                                     {"y", kRow * top(row)},
                                     {"width", percent(1 / columns())},
                                     {"height", kRow},
                                     {"rx", 4.0},
                                     {"fill-opacity", shade}}) +
                       element("text",
                               {{"class", "middle"},
                                {"x", percent(left(column) + 0.5 / columns())},
                                {"y", kRow * top(row) + 27}},
                               text));
  }

  const HeatMap& map_;
  double best_;
  Unit unit_;
};

}  // namespace

std::string heat_map_chart(const HeatMap& map, const VariantTrials& variant, double best_seconds) {
  double best = INFINITY;
  for (const HeatMap::Cell& cell : map.cells) {
    if (cell.best) best = std::min(best, cell.best->seconds());
  }
  if (!std::isfinite(best)) return {};
  const Map chart(map, best);
  const std::string over = best_seconds > 0 && best > 1.005 * best_seconds
                               ? fmt::format(", {} × the winner", three_digits(best / best_seconds))
                               : "";
  const auto code = [](const std::string& name) { return element("code", {}, escaped(name)); };
  const std::string across =
      map.height.empty() ? code(map.width)
                         : fmt::format("{} (across) by {} (up)", code(map.width), code(map.height));
  return figure(fmt::format("{}: {}<br/><small>best time, {}; the least {}{}</small>",
                            element("strong", {}, escaped(variant.variant)), across, chart.unit(),
                            text_of_seconds(best), over),
                chart.chart(), map.widths.size() > 5 ? "many" : "");
}

}  // namespace tessera::tool
