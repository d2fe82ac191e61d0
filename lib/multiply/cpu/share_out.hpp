// Splits a product into rectangles, one per work-item, and these into pieces.
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

/// The number of pieces of each work-item's rectangle of so many elements, at most `most`. Each
/// piece is half of the remainder (take_rectangle of cl/common/tile.cl), none is much smaller than
/// `smallest`. With five pieces, the last ones are small enough for all cores to end together, even
/// if other programs slow some cores to half the speed.
std::size_t pieces_of(std::size_t elements, std::size_t smallest, std::size_t most);

}  // namespace tessera::inline v0::multiplication
