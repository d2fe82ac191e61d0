// Sample: a subset of indices, to check where all would take too long.
#pragma once

#include <algorithm>
#include <cmath>
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

/// Rows and columns of a matrix, at whose crossings it is compared.
struct Crossings {
  std::vector<std::size_t> rows, columns;

  /// Picks all rows and columns of an m x n matrix with at most `count` elements. Otherwise they
  /// cross at about `count` elements: sqrt(count) of each, but at least two. A shorter dimension is
  /// used in full, and more of the other one.
  Crossings(std::size_t m, std::size_t n, double count, std::uint64_t seed) {
    const auto edge = static_cast<std::size_t>(std::max(std::sqrt(count), 2.0));
    // The number of indices to pick of a dimension if the other one has only `used`.
    const auto rest = [&](std::size_t used) {
      const double all = count / static_cast<double>(std::max<std::size_t>(used, 1));
      return std::max(edge, static_cast<std::size_t>(std::min(all, 0x1p62)));
    };
    rows = sample(m, n <= edge ? rest(n) : edge, seed);
    columns = sample(n, m <= edge ? rest(m) : edge, seed + 1);
  }
};

}  // namespace tessera::inline v0::reference
