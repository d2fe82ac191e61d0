// Partition: how a product of host memory is cut into tiles of C and parts of its depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/element_type.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::host_product {

/// The extents of a product, and what decides the size of its tiles.
struct Extents {
  std::size_t m, n, k;
  ProductTypes types;
  Accuracy accuracy = Accuracy::ieee;
};

/// A tile of C, in elements. It needs the rows of A in `band` and the columns of B in `strip`.
struct Tile {
  std::size_t row, column, rows, columns;
  std::size_t band, strip;
};

/// The tiles of C. Bands of A have tile_rows rows and strips of B have tile_columns columns, fewer
/// at the end. Both are cut along k into parts of `depth`.
struct Partition {
  std::size_t tile_rows, tile_columns, depth;
  std::size_t bands, strips, parts;
  std::vector<Tile> tiles;  ///< the last ones are smaller, so that devices end together
};

/// Copies of panels and tiles that a device holds at least: while it computes with one, the next
/// one arrives, and another waits.
constexpr std::size_t kLeastPanels = 3, kTiles = 3;

/// The bytes of a device's free memory that panels and tiles may use. Products need the rest as
/// scratch memory; complex ones copy their operands to it.
std::uint64_t usable_part(const Extents& extents, std::uint64_t free);
/// Streams that compute tiles side by side on a device.
std::size_t streams(const Extents& extents);
/// Bytes of a panel of A or B: `edge` rows or columns of a part of `depth`.
std::uint64_t panel_bytes(const Extents& extents, std::size_t edge, std::size_t depth);
/// The element type of a tile on a device: sums of several parts are not rounded to 16 bits.
ElementType tile_type(const ProductTypes& types, std::size_t parts);

/// Tiles for devices that use the matrices in place, and have `bytes` for copies of complex ones.
Partition partition_in_place(const Extents& extents, std::uint64_t bytes);
/// Tiles for devices that may use `bytes` for panels and tiles. Throws MemoryError if tiles of
/// 256 x 256 do not fit.
Partition partition(const Extents& extents, std::uint64_t bytes);
/// The same with smaller tiles than `tried` has, or less deep parts. Throws MemoryError likewise.
Partition smaller(const Extents& extents, const Partition& tried);

}  // namespace tessera::inline v0::host_product
