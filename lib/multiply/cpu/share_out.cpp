// Chooses the division of C by a cost model.
#include "multiply/cpu/share_out.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

/// Columns of the widest of so many shares of the tiles across. No share has more tiles than the
/// last one. A tile's columns beyond C cost little, but its rows beyond C cost as much as others.
std::size_t widest(const Tiles& tiles, std::size_t shares) {
  const std::size_t missing = tiles.across * tiles.columns - tiles.width,
                    maximum = divide_up(tiles.across, shares) * tiles.columns;
  const bool is_alone = shares == 1 || tiles.across % shares == 1;
  return is_alone ? maximum - missing : maximum;
}

/// Rough cost of a rectangle of C: in the same time, a core does about 16 multiply-adds, or copies
/// four elements.
double cost(std::size_t height, std::size_t width, std::size_t block_rows) {
  const double rows = static_cast<double>(height), columns = static_cast<double>(width);
  const double repacked = std::max(1.0, rows / static_cast<double>(block_rows));
  return rows * columns / 16 + rows / 4 + columns * repacked / 4;
}

}  // namespace

Tiles tiles_of(const Shape& shape, std::size_t rows, std::size_t columns) {
  return {divide_up(shape.m, rows), divide_up(shape.n, columns), rows, columns, shape.n};
}

std::array<std::size_t, 2> share_out(const Tiles& tiles, std::size_t items,
                                     std::size_t block_rows) {
  std::array<std::size_t, 2> best = {1, 1};
  double minimum = std::numeric_limits<double>::infinity();
  for (std::size_t rows = 1; rows <= std::min(items, tiles.down); rows++) {
    const std::size_t columns = std::min(items / rows, tiles.across);
    const double time =
        cost(divide_up(tiles.down, rows) * tiles.rows, widest(tiles, columns), block_rows);
    if (time < minimum) {
      minimum = time;
      best = {columns, rows};
    }
  }
  return best;
}

std::size_t pieces_of(std::size_t elements, std::size_t smallest, std::size_t most) {
  const auto bits = std::bit_width(std::max<std::size_t>(elements / smallest, 1));
  return std::min(static_cast<std::size_t>(bits), most);
}

}  // namespace tessera::inline v0::multiplication
