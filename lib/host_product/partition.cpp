// Sizes of tiles and parts from the memory of a device.
#include "host_product/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "tessera/error.hpp"

namespace tessera::inline v0::host_product {
namespace {

constexpr std::uint64_t kAnyRoom = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kSmallest = 256, kLargest = 16384;
/// A part of k that is this deep hides the reading and writing of its tile. Of deeper ones, the
/// first lets a device wait for it, and each further one costs up to 4 % (floats on an H200).
constexpr std::size_t kDeep = 2048, kDeepestBytes = std::size_t{128} << 10;

/// Returns whether a product runs on ordinary multiply-adds, not on a GPU's tensor cores.
bool is_ordinary(const Extents& extents) {
  const ElementType type = extents.types.a;
  return extents.accuracy == Accuracy::ieee &&
         (type == ElementType::float32 || type == ElementType::int32);
}

/// The smallest edge of a tile that computes at full speed on an H200, of products of deep
/// operands. A device waits for the panels of its first tile, so that smaller is better.
std::size_t full_edge(const Extents& extents) {
  if (extents.accuracy == Accuracy::bounded) return 8192;  // operands are split for each tile
  return element_size(extents.types.a) >= 4 ? 2048 : 4096;
}

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Bytes of the fewest panels and tiles.
std::uint64_t fewest_bytes(const Extents& extents, std::size_t edge, std::size_t depth) {
  const std::size_t parts = extents.k == 0 ? 1 : divide_up(extents.k, depth);
  const std::uint64_t rows = std::min(edge, extents.m), columns = std::min(edge, extents.n);
  return kLeastPanels * (rows + columns) * depth * element_size(extents.types.a) +
         kTiles * rows * columns * element_size(tile_type(extents.types, parts));
}

/// Bytes of the copies that a product of a complex tile makes: twice B, and A and C if need be.
std::uint64_t copied_bytes(const Extents& extents, std::size_t edge) {
  if (!is_complex(extents.types.a)) return 0;
  const std::uint64_t rows = std::min(edge, extents.m), columns = std::min(edge, extents.n);
  return ((rows + 2 * columns) * extents.k + rows * columns) * element_size(extents.types.a);
}

/// The deepest parts that fit, in steps of kSmallest unless k is one part; 0 if none fits.
std::size_t deepest(const Extents& extents, std::size_t edge, std::uint64_t bytes) {
  const std::size_t whole = std::max<std::size_t>(extents.k, 1),
                    parts = divide_up(whole * element_size(extents.types.a), kDeepestBytes);
  const std::size_t usual =
      parts == 1 ? whole : divide_up(divide_up(whole, parts), kSmallest) * kSmallest;
  if (fewest_bytes(extents, edge, usual) <= bytes) return usual;
  std::size_t low = 0, high = usual / kSmallest;  // in steps
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (fewest_bytes(extents, edge, middle * kSmallest) <= bytes) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low * kSmallest;
}

/// The edge of tiles that are many enough to share, and large enough to compute fast.
std::size_t usual_edge(const Extents& extents, std::size_t full) {
  const std::size_t eighth = std::bit_ceil(divide_up(std::max(extents.m, extents.n), 8));
  return std::clamp<std::size_t>(eighth, 1024, full);
}

/// Adds a tile, or its quarters.
void add(std::vector<Tile>& tiles, const Tile& tile, bool quarters) {
  if (!quarters || tile.rows < 2 || tile.columns < 2) return tiles.push_back(tile);
  const std::size_t upper = divide_up(tile.rows, 2), left = divide_up(tile.columns, 2);
  for (const bool lower : {false, true}) {
    for (const bool right : {false, true}) {
      tiles.push_back({tile.row + (lower ? upper : 0), tile.column + (right ? left : 0),
                       lower ? tile.rows - upper : upper, right ? tile.columns - left : left,
                       tile.band, tile.strip});
    }
  }
}

/// Rows, or columns, of a tile if the matrices fit on the device: thin products have long tiles, as
/// choosing among many tiles takes time.
std::size_t longer(std::size_t edge, std::size_t extent, std::size_t other) {
  constexpr std::size_t kMost = 2048;  // tiles
  const std::size_t beside = divide_up(other, std::min(edge, other));
  return std::max(edge, divide_up(extent, std::max<std::size_t>(kMost / beside, 1)));
}

Partition cut(const Extents& extents, std::size_t edge, std::size_t depth,
              std::uint64_t room_for_long_tiles = 0) {
  const auto& [m, n, k, types, accuracy] = extents;
  std::size_t rows = std::min(edge, m), columns = std::min(edge, n);
  const std::size_t long_rows = std::min(longer(edge, m, n), m),
                    long_columns = std::min(longer(edge, n, m), n);
  if (kTiles * long_rows * long_columns * element_size(types.c) <= room_for_long_tiles) {
    rows = long_rows;
    columns = long_columns;
  }
  Partition made{rows,
                 columns,
                 depth,
                 divide_up(extents.m, rows),
                 divide_up(extents.n, columns),
                 extents.k == 0 ? 1 : divide_up(extents.k, depth),
                 {}};
  const std::size_t all = made.bands * made.strips;
  // If there are few, the last ones are cut again, so that devices that end first wait less.
  const std::size_t whole = all < 4 || all >= 128 ? all : all - divide_up(all, 8);
  for (std::size_t band = 0; band < made.bands; band++) {
    for (std::size_t strip = 0; strip < made.strips; strip++) {
      const std::size_t row = band * rows, column = strip * columns;
      add(made.tiles,
          {row, column, std::min(rows, extents.m - row), std::min(columns, extents.n - column),
           band, strip},
          band * made.strips + strip >= whole);
    }
  }
  return made;
}

[[noreturn]] void too_small(const Extents& extents) {
  throw MemoryError(fmt::format(
      "multiply_host: panels and tiles of {} x {} need {} bytes, which the device does not have",
      std::min(kSmallest, extents.m), std::min(kSmallest, extents.n),
      fewest_bytes(extents, kSmallest, std::min(kSmallest, std::max<std::size_t>(extents.k, 1)))));
}

}  // namespace

std::uint64_t usable_part(const Extents& extents, std::uint64_t free) {
  return is_complex(extents.types.a) ? free / 2 : free / 4 * 3;
}

std::size_t streams(const Extents& extents) {
  // The next tile fills the multiprocessors that a tile's last work-groups leave idle: 1.5 % faster
  // on an H200. Two kernels for tensor cores disturb each other: 6 % slower.
  return is_ordinary(extents) ? 2 : 1;
}

ElementType tile_type(const ProductTypes& types, std::size_t parts) {
  return parts > 1 ? types.sum : types.c;
}

std::uint64_t panel_bytes(const Extents& extents, std::size_t edge, std::size_t depth) {
  return std::uint64_t{edge} * depth * element_size(extents.types.a);
}

Partition partition_in_place(const Extents& extents, std::uint64_t bytes) {
  constexpr std::size_t kFull = 4096;
  std::size_t edge = usual_edge(extents, kFull);
  // Without room for copies, slower kernels for complex elements would run.
  while (edge > kSmallest && copied_bytes(extents, edge) > bytes) edge /= 2;
  return cut(extents, edge, std::max<std::size_t>(extents.k, 1), kAnyRoom);
}

Partition partition(const Extents& extents, std::uint64_t bytes) {
  const std::uint64_t operands =
      element_size(extents.types.a) * (std::uint64_t{extents.m} + extents.n) * extents.k;
  const bool fits = operands <= bytes / 4 * 3;
  std::size_t edge = usual_edge(extents, full_edge(extents));
  // If the operands do not stay on the device, larger tiles need fewer copies of them.
  if (!fits) {
    const std::size_t extent = std::bit_ceil(std::max(extents.m, extents.n));
    edge = std::clamp(extent / 2, edge, kLargest);
    while (edge > kSmallest && deepest(extents, edge, bytes) < std::min(kDeep, extents.k))
      edge /= 2;
  }
  for (; edge >= kSmallest; edge /= 2) {
    if (const std::size_t depth = deepest(extents, edge, bytes); depth > 0)
      return cut(extents, edge, depth, fits ? bytes - operands : 0);
  }
  too_small(extents);
}

Partition smaller(const Extents& extents, const Partition& tried) {
  const std::size_t edge = std::max(tried.tile_rows, tried.tile_columns);
  const bool is_least = edge <= kSmallest;
  if (is_least && tried.depth <= kSmallest) too_small(extents);
  const std::size_t less = is_least ? edge : std::max(kSmallest, std::bit_ceil(edge) / 2);
  return cut(extents, less, std::min(tried.depth, std::max(kSmallest, tried.depth / 2)));
}

}  // namespace tessera::inline v0::host_product
