// Sample: a subset of indices, to check where all would take too long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "reference/generated.hpp"

namespace tessera::inline v0::reference {

/// All indices below `count`; if there are more than `max`, which is at least 2, `max` of them: the
/// first, the last, and one from each of max - 2 equal parts between; ascending.
inline std::vector<std::size_t> sample(std::size_t count, std::size_t max, std::uint64_t seed) {
  std::vector<std::size_t> all(std::min(count, max));
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (count <= max) return all;
  const double part = static_cast<double>(count) / static_cast<double>(max);
  for (std::size_t i = 0; i < max; i++) {
    const double within = static_cast<double>(hash(seed, i) >> 11) * 0x1p-53;
    all[i] =
        std::min(count - 1, static_cast<std::size_t>((static_cast<double>(i) + within) * part));
  }
  all.front() = 0;
  all.back() = count - 1;
  return all;
}

}  // namespace tessera::inline v0::reference
