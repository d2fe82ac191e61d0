// Intersection of two sets of equidistant intervals.
#include "operands/overlap.hpp"

#include <algorithm>
#include <utility>

namespace tessera::inline v0::operands {
namespace {

std::uint64_t end(const Rows& block) {
  return block.begin + (block.rows - 1) * block.pitch + block.columns;
}

/// For equal pitches and a.begin <= b.begin: b starts in row `down` of a, `right` units from its
/// start, so it can meet that row or the next, which starts pitch - right units after b.
bool overlap_of_one_pitch(const Rows& a, const Rows& b) {
  const std::uint64_t down = (b.begin - a.begin) / a.pitch, right = (b.begin - a.begin) % a.pitch;
  return (down < a.rows && right < a.columns) || (down + 1 < a.rows && right + b.columns > a.pitch);
}

bool overlap_row_by_row(const Rows& a, const Rows& b) {
  std::uint64_t i = 0, j = 0;
  while (i < a.rows && j < b.rows) {
    const std::uint64_t a_begin = a.begin + i * a.pitch, b_begin = b.begin + j * b.pitch;
    if (a_begin < b_begin + b.columns && b_begin < a_begin + a.columns) return true;
    a_begin < b_begin ? i++ : j++;
  }
  return false;
}

}  // namespace

bool overlap(const Rows& a, const Rows& b) {
  if (a.rows == 0 || a.columns == 0 || b.rows == 0 || b.columns == 0) return false;
  if (end(a) <= b.begin || end(b) <= a.begin) return false;
  if (a.pitch != b.pitch) return overlap_row_by_row(a, b);
  return a.begin <= b.begin ? overlap_of_one_pitch(a, b) : overlap_of_one_pitch(b, a);
}

}  // namespace tessera::inline v0::operands
