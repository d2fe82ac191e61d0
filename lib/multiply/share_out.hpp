// Share out: how the rectangles of a product are divided among work-items.
#pragma once

#include <array>
#include <cstddef>

#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// Work-items along the columns and the rows of C's tiles, at most `items` in total, such that the
/// most expensive rectangle is as cheap as possible. A is copied in blocks of `block_rows` rows.
std::array<std::size_t, 2> share_out(const Shape& shape, std::size_t row_tiles,
                                     std::size_t column_tiles, std::size_t items,
                                     std::size_t block_rows);

}  // namespace tessera::inline v0::multiplication
