// Groups trials by variant, by the values of parameters, and by the sizes of work-groups.
#include "report/analysis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exports/tune_json.hpp"
#include "figures.hpp"

namespace tessera::tool {
namespace {

using Trials = std::vector<const Trial*>;
/// Seconds of timed trials by a common variant or value of a parameter.
template <class Key>
using Groups = std::map<Key, std::vector<double>>;

/// Share of the variance of the times' logarithms that the groups explain.
template <class Key>
double explained(const Groups<Key>& groups) {
  double sum = 0, squares = 0, between = 0, count = 0;
  for (const auto& [key, group] : groups) {
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

Json share_json(double share, std::size_t timed) {
  return timed >= kTrialsForShares ? Json(rounded(share)) : Json(nullptr);
}

/// Returns the best time, the quartiles and the worst time.
Json spread_json(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  Json spread = Json::array();
  for (const double fraction : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double place = fraction * static_cast<double>(seconds.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double above = seconds[std::min(below + 1, seconds.size() - 1)];
    spread.push_back(rounded(std::lerp(seconds[below], above, place - static_cast<double>(below))));
  }
  return spread;
}

/// Lists the parameters with several values by the variance that they explain.
Json parameters_json(const Trials& trials, std::size_t timed_trials) {
  std::map<std::string, Groups<int>> times;
  for (const Trial* trial : trials) {
    if (!timed(*trial)) continue;
    for (const auto& [name, value] : trial->kernel.parameters)
      times[name][value].push_back(trial->seconds());
  }
  std::erase_if(times, [](const auto& parameter) { return parameter.second.size() < 2; });
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, groups] : times) order.emplace_back(-explained(groups), name);
  std::ranges::sort(order);
  Json parameters = Json::array();
  for (const auto& [share, name] : order) {
    Json values = Json::array();
    for (const auto& [value, seconds] : times.at(name))
      values.push_back(
          {{"value", value}, {"timed", seconds.size()}, {"seconds", spread_json(seconds)}});
    parameters.push_back(
        {{"name", name}, {"share", share_json(-share, timed_trials)}, {"values", values}});
  }
  return parameters;
}

/// Lists the fastest trial of each size, or the first one if none is timed. Returns null for fewer
/// than two sizes.
Json sizes_json(const Trials& trials, const std::string& width, const std::string& height,
                const Trial* first) {
  std::map<std::pair<int, int>, const Trial*> shown;
  std::set<int> widths, heights;
  bool has_height = false;
  for (const Trial* trial : trials) {
    const auto& parameters = trial->kernel.parameters;
    const auto across = parameters.find(width), up = parameters.find(height);
    if (across == parameters.end()) continue;
    has_height = has_height || up != parameters.end();
    const int row = up == parameters.end() ? 1 : up->second;
    widths.insert(across->second);
    heights.insert(row);
    const Trial*& best = shown[{row, across->second}];
    if (!best || (timed(*trial) && (!timed(*best) || trial->seconds() < best->seconds())))
      best = trial;
  }
  if (widths.size() * heights.size() < 2) return nullptr;
  Json cells = Json::array();
  for (const int row : heights) {
    for (const int column : widths) {
      const auto cell = shown.find({row, column});
      cells.push_back(cell == shown.end() ? Json(nullptr) : Json(cell->second - first));
    }
  }
  return {{"width", width},
          {"height", has_height ? Json(height) : Json(nullptr)},
          {"widths", widths},
          {"heights", heights},
          {"cells", cells}};
}

/// Uses the first parameters that span a work-group or its block.
Json sizes_json(const Trials& trials, const Trial* first) {
  constexpr std::array<std::pair<const char*, const char*>, 3> kSpans = {
      {{"GROUP_COLUMNS", "GROUP_ROWS"}, {"TILE_N", "TILE_M"}, {"TILE", "TILE"}}};
  for (const auto& [width, height] : kSpans) {
    Json sizes = sizes_json(trials, width, height, first);
    if (!sizes.is_null()) return sizes;
  }
  return nullptr;
}

}  // namespace

Json analysis_json(const TuneResult& result) {
  std::map<std::string, Trials> trials;
  Groups<std::string> times;
  std::size_t timed_trials = 0;
  for (const Trial& trial : result.trials) {
    trials[trial.kernel.variant].push_back(&trial);
    if (!timed(trial)) continue;
    times[trial.kernel.variant].push_back(trial.seconds());
    timed_trials++;
  }
  // The winner's variant comes first; the others follow by their best time.
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [variant, tried] : trials) {
    const auto seconds = times.find(variant);
    order.emplace_back(variant == result.best.variant ? 0
                       : seconds == times.end()       ? std::numeric_limits<double>::infinity()
                                                      : std::ranges::min(seconds->second),
                       variant);
  }
  std::ranges::sort(order);
  Json variants = Json::array();
  for (const auto& [best, variant] : order) {
    const Trials& tried = trials.at(variant);
    const std::size_t own = times[variant].size();
    variants.push_back({{"kernel", variant},
                        {"tried", tried.size()},
                        {"timed", own},
                        {"parameters", parameters_json(tried, own)},
                        {"sizes", sizes_json(tried, result.trials.data())}});
  }
  Json share = times.size() < 2 ? Json(nullptr) : share_json(explained(times), timed_trials);
  return {{"variant_share", std::move(share)}, {"variants", std::move(variants)}};
}

}  // namespace tessera::tool
