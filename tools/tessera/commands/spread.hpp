// Spread: how the times of a command's repetitions lie.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::tool {

struct Spread {
  double min = 0, median = 0, max = 0;
  std::size_t count = 0;
};

/// Of some values; the median of an even number is the mean of the two in the middle.
Spread spread_of(std::vector<double> values);

/// "1.234 ms"; of several "1.234 ms (median of 9, 1.2 to 1.41)".
std::string text_of(const Spread& seconds);

}  // namespace tessera::tool
