// Grids: how many work-groups cover a range, in slices if a device does not allow so many.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "runtime/submission.hpp"

namespace tessera::inline v0::operands {

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }
constexpr std::size_t round_up(std::size_t a, std::size_t b) { return divide_up(a, b) * b; }

/// Work-groups that any device allows in dimensions 1 and 2.
constexpr std::size_t kMaxGroups = 65535;

/// Work-groups of `group` work-items that cover `items`, all in dimension 0.
inline runtime::Grid cover(std::size_t items, const std::array<std::size_t, 2>& group) {
  return {{divide_up(items, group[0] * group[1]), 1}, group};
}

/// Work-groups of a kernel that cover `items`: of 64 work-items, or as many as the device allows.
inline runtime::Grid cover(std::size_t items, const runtime::Kernel& kernel) {
  constexpr std::size_t kGroup = 64;
  return cover(items, {std::clamp<std::size_t>(kernel.max_work_group, 1, kGroup), 1});
}

/// Splits `rows` along dimension 1: `slice(first, count)` gets at most kMaxGroups groups of rows.
template <class Slice>
void slices(std::size_t rows, std::size_t rows_of_group, Slice&& slice) {
  const std::size_t maximum = kMaxGroups * rows_of_group;
  for (std::size_t first = 0; first < rows; first += maximum)
    slice(first, std::min(rows - first, maximum));
}

}  // namespace tessera::inline v0::operands
