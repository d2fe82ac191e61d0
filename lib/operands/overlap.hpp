// Overlap: whether two blocks in memory have an element in common.
#pragma once

#include <cstdint>

namespace tessera::inline v0::operands {

/// `rows` rows of `columns` units, `pitch` apart, from `begin` on. Rows do not overlap: pitch >=
/// columns.
struct Rows {
  std::uint64_t begin, rows, columns, pitch;
};

/// Exact, even for different pitches. Time grows with the number of rows only if pitches differ.
bool overlap(const Rows& a, const Rows& b);

}  // namespace tessera::inline v0::operands
