// Median and extremes.
#include "commands/spread.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::tool {

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const std::size_t count = values.size();
  const double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  return {.min = values.front(), .median = median, .max = values.back(), .count = count};
}

std::string text_of(const Spread& seconds) {
  std::string median = fmt::format("{:.4g} ms", 1e3 * seconds.median);
  if (seconds.count < 2) return median;
  return median + fmt::format(" (median of {}, {:.4g} to {:.4g})", seconds.count, 1e3 * seconds.min,
                              1e3 * seconds.max);
}

}  // namespace tessera::tool
