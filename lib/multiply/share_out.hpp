// Share out: which rectangle of a product each work-item has.
#pragma once

#include <array>
#include <cstddef>

#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// Work-items in columns and rows of C's tiles: at most `items` together, so that the largest
/// rectangle costs least. A is copied in blocks of `block_rows` rows.
std::array<std::size_t, 2> share_out(const Shape& shape, std::size_t row_tiles,
                                     std::size_t column_tiles, std::size_t items,
                                     std::size_t block_rows);

}  // namespace tessera::inline v0::multiplication
