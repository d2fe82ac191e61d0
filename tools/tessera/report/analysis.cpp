// Grouping trials by their parameters.
#include "report/analysis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "figures.hpp"

namespace tessera::tool {
namespace {

using Groups = std::vector<std::vector<double>>;

/// Sum of squares between groups over that of all, of logarithms.
double explained(const Groups& groups) {
  double sum = 0, squares = 0, between = 0, count = 0;
  for (const auto& group : groups) {
    double part = 0;
    for (const double seconds : group) {
      part += std::log(seconds);
      squares += std::log(seconds) * std::log(seconds);
    }
    sum += part;
    count += static_cast<double>(group.size());
    between += part * part / static_cast<double>(group.size());
  }
  const double mean_square = sum * sum / count;
  const double total = squares - mean_square;
  if (!(total > 1e-12 * squares)) return 0;
  return std::clamp((between - mean_square) / total, 0.0, 1.0);
}

double best_of(const VariantTrials& variant) {
  double best = std::numeric_limits<double>::infinity();
  for (const Trial* trial : variant.trials) {
    if (timed(*trial)) best = std::min(best, trial->seconds());
  }
  return best;
}

std::optional<int> value_of(const Trial& trial, const std::string& parameter) {
  const auto found = trial.kernel.parameters.find(parameter);
  if (found == trial.kernel.parameters.end()) return std::nullopt;
  return found->second;
}

std::set<int> values_in(const Trials& trials, const std::string& parameter) {
  std::set<int> values;
  for (const Trial* trial : trials) {
    if (const auto value = value_of(*trial, parameter)) values.insert(*value);
  }
  return values;
}

/// Names of width and height, as the variants have them; the height is empty for a line.
std::pair<std::string, std::string> span_of(const VariantTrials& variant) {
  constexpr std::array<std::pair<const char*, const char*>, 3> kSpans = {
      {{"GROUP_COLUMNS", "GROUP_ROWS"}, {"TILE_N", "TILE_M"}, {"TILE", "TILE"}}};
  for (const auto& [width, height] : kSpans) {
    if (!values_in(variant.trials, width).empty())
      return {width, values_in(variant.trials, height).empty() ? "" : height};
  }
  return {};
}

}  // namespace

std::size_t timed_trials(const VariantTrials& variant) {
  return static_cast<std::size_t>(
      std::ranges::count_if(variant.trials, [](const Trial* trial) { return timed(*trial); }));
}

std::vector<VariantTrials> by_variant(const TuneResult& result) {
  std::map<std::string, Trials> names;
  for (const Trial& trial : result.trials) names[trial.kernel.variant].push_back(&trial);
  std::vector<VariantTrials> variants;
  for (auto& [variant, trials] : names) variants.push_back({variant, std::move(trials)});
  std::ranges::stable_sort(variants, {}, [&](const VariantTrials& variant) {
    return std::pair(variant.variant != result.best.variant, best_of(variant));
  });
  return variants;
}

double ValueTimes::at(double fraction) const {
  const double place = fraction * static_cast<double>(seconds.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = seconds[std::min(below + 1, seconds.size() - 1)];
  return seconds[below] + (place - static_cast<double>(below)) * (above - seconds[below]);
}

std::vector<ParameterTimes> by_parameter(const Trials& trials) {
  std::map<std::string, std::map<int, std::vector<double>>> times;
  for (const Trial* trial : trials) {
    if (!timed(*trial)) continue;
    for (const auto& [name, value] : trial->kernel.parameters)
      times[name][value].push_back(trial->seconds());
  }
  std::vector<ParameterTimes> parameters;
  for (auto& [name, values] : times) {
    if (values.size() < 2) continue;
    ParameterTimes parameter{name, {}, 0};
    Groups groups;
    for (auto& [value, seconds] : values) {
      groups.push_back(seconds);
      std::ranges::sort(seconds);
      parameter.values.push_back({value, std::move(seconds)});
    }
    parameter.importance = explained(groups);
    parameters.push_back(std::move(parameter));
  }
  std::ranges::stable_sort(parameters, std::greater(), &ParameterTimes::importance);
  return parameters;
}

std::optional<double> importance_of_variant(const TuneResult& result) {
  std::map<std::string, std::vector<double>> times;
  for (const Trial& trial : result.trials) {
    if (timed(trial)) times[trial.kernel.variant].push_back(trial.seconds());
  }
  if (times.size() < 2) return std::nullopt;
  Groups groups;
  for (auto& [variant, seconds] : times) groups.push_back(std::move(seconds));
  return explained(groups);
}

std::optional<HeatMap> heat_map(const VariantTrials& variant) {
  const auto [width, height] = span_of(variant);
  const auto widths = values_in(variant.trials, width);
  const auto heights = height.empty() ? std::set<int>{1} : values_in(variant.trials, height);
  if (widths.size() * heights.size() < 2) return std::nullopt;
  HeatMap map{width, height, {widths.begin(), widths.end()}, {heights.begin(), heights.end()}, {}};
  map.cells.resize(widths.size() * heights.size());
  for (const Trial* trial : variant.trials) {
    const auto column = value_of(*trial, width);
    const auto row = height.empty() ? std::optional(1) : value_of(*trial, height);
    if (!column || !row) continue;
    const auto x = std::ranges::lower_bound(map.widths, *column) - map.widths.begin();
    const auto y = std::ranges::lower_bound(map.heights, *row) - map.heights.begin();
    auto& cell =
        map.cells[static_cast<std::size_t>(y) * widths.size() + static_cast<std::size_t>(x)];
    if (cell.tried == nullptr) cell.tried = trial;
    if (timed(*trial) && (!cell.best || trial->seconds() < cell.best->seconds())) cell.best = trial;
  }
  return map;
}

}  // namespace tessera::tool
