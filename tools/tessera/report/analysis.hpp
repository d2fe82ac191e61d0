// Analysis: what the trials of a tuning say about its parameters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tessera/tune.hpp>
#include <vector>

namespace tessera::tool {

using Trials = std::vector<const Trial*>;

/// The trials of one variant, in their order.
struct VariantTrials {
  std::string variant;
  Trials trials;
};
/// How many of them are timed.
std::size_t timed_trials(const VariantTrials& variant);
/// By variant, that of the winner first, the others by their best time.
std::vector<VariantTrials> by_variant(const TuneResult& result);

/// Times of the trials that share a parameter's value, ascending; not empty.
struct ValueTimes {
  int value;
  std::vector<double> seconds;

  double at(double fraction) const;  ///< 0: the best, 0.5: the median
};
/// Of one parameter, ascending.
struct ParameterTimes {
  std::string name;
  std::vector<ValueTimes> values;
  /// Share of the variance of the times' logarithms that the values explain, alone.
  double importance;
};
/// Of timed trials, the most important parameter first; those with one value only are left out.
std::vector<ParameterTimes> by_parameter(const Trials& trials);

/// Share of the variance of log times that the choice of a variant explains; nothing for one
/// variant.
std::optional<double> importance_of_variant(const TuneResult& result);

/// Best times over two parameters that span a work-group or its block.
struct HeatMap {
  struct Cell {
    const Trial* best = nullptr;   ///< null where none is timed
    const Trial* tried = nullptr;  ///< null where none was tried
  };
  std::string width, height;         ///< parameters; of a square tile the same
  std::vector<int> widths, heights;  ///< ascending
  std::vector<Cell> cells;           ///< by rows
};
/// Nothing where the parameters span none.
std::optional<HeatMap> heat_map(const VariantTrials& variant);

}  // namespace tessera::tool
