// Share out: how the rectangles of a product are divided among work-items.
#pragma once

#include <array>
#include <cstddef>

#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// C as tiles: `down` x `across` of them, of `rows` x `columns` elements; C has `width` columns.
struct Tiles {
  std::size_t down, across, rows, columns, width;
};

/// Tiles that cover C.
Tiles tiles_of(const Shape& shape, std::size_t rows, std::size_t columns);

/// Work-items along the columns and the rows of C's tiles, at most `items` in total, such that the
/// most expensive rectangle is as cheap as possible. B is packed again for every `block_rows` rows.
std::array<std::size_t, 2> share_out(const Tiles& tiles, std::size_t items, std::size_t block_rows);

/// Pieces of each work-item's rectangle of so many elements, as take_rectangle of cl/common/tile.cl
/// deals them out: each is half of what is left, none much smaller than `smallest`. With five, the
/// last ones are small enough for all cores to end together though some have half the speed, as
/// where other programs use them too.
std::size_t pieces_of(std::size_t elements, std::size_t smallest, std::size_t most);

}  // namespace tessera::inline v0::multiplication
