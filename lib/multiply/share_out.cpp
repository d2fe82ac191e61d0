// Chooses the division of C by a cost model.
#include "multiply/share_out.hpp"

#include <algorithm>
#include <limits>

#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

/// Rough cost of the largest rectangle when C's tiles are divided among `rows` x `columns`
/// work-items.
double cost(const Shape& shape, std::size_t rows, std::size_t columns, std::size_t block_rows) {
  const double height = static_cast<double>(divide_up(shape.m, rows));
  const double width = static_cast<double>(divide_up(shape.n, columns));
  const double repacked = std::max(1.0, height / static_cast<double>(block_rows));
  // In the same time, a core does about 16 multiply-adds, or copies one element of A or four of B.
  return height * width / 16 + height + width * repacked / 4;
}

}  // namespace

std::array<std::size_t, 2> share_out(const Shape& shape, std::size_t row_tiles,
                                     std::size_t column_tiles, std::size_t items,
                                     std::size_t block_rows) {
  std::array<std::size_t, 2> best = {1, 1};
  double minimum = std::numeric_limits<double>::infinity();
  for (std::size_t rows = 1; rows <= std::min(items, row_tiles); rows++) {
    const std::size_t columns = std::min(items / rows, column_tiles);
    const double time = cost(shape, rows, columns, block_rows);
    if (time < minimum) {
      minimum = time;
      best = {columns, rows};
    }
  }
  return best;
}

}  // namespace tessera::inline v0::multiplication
