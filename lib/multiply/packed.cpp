// The packed variant: the product shared out to work-items, each with scratch memory for its
// panels.
#include "multiply/enqueue.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tessera::inline v0::multiplication {
namespace {

// As in cl/multiply/packed.cl.
struct Blocking {
  cl_ulong m, n, k, numbers;
};

// Columns of C between two copies of a block of A: a multiple of every tile's width.
constexpr std::size_t kBlockColumns = 1536;

/// Rough cost of the largest rectangle when C's tiles are shared out to `rows` x `columns`
/// work-items.
double cost(const Shape& shape, std::size_t rows, std::size_t columns, std::size_t block_rows) {
  const double height = static_cast<double>(divide_up(shape.m, rows));
  const double width = static_cast<double>(divide_up(shape.n, columns));
  const double repacked = std::max(1.0, height / static_cast<double>(block_rows));
  // A core does some 16 products, or copies one element of A, or four of B, in the same time.
  return height * width / 16 + height + width * repacked / 4;
}

/// Work-items in rows and columns of C: at most `items` together.
std::array<std::size_t, 2> share_out(const Shape& shape, std::size_t row_tiles,
                                     std::size_t column_tiles, std::size_t items,
                                     std::size_t block_rows) {
  std::array<std::size_t, 2> best = {1, 1};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t rows = 1; rows <= std::min(items, row_tiles); rows++) {
    const std::size_t columns = std::min(items / rows, column_tiles);
    const double time = cost(shape, rows, columns, block_rows);
    if (time < least) {
      least = time;
      best = {columns, rows};
    }
  }
  return best;
}

}  // namespace

void enqueue_packed(const kernels::Plan& plan, const Problem& problem,
                    runtime::Submission& submission) {
  const Shape& shape = problem.shape;
  const std::size_t tile_rows = plan.size("ROWS"),
                    tile_columns = plan.size("VECTOR") * plan.size("VECTORS");
  const std::size_t row_tiles = divide_up(shape.m, tile_rows),
                    column_tiles = divide_up(shape.n, tile_columns);
  const std::size_t items =
      submission.stream().context().device().info.compute_units * plan.size("TASKS");
  const auto groups = share_out(shape, row_tiles, column_tiles, items, plan.size("BLOCK_ROWS"));

  // No larger than the rectangles, so that a small product needs little memory.
  Blocking block{};
  block.m = std::min(plan.size("BLOCK_ROWS"),
                     round_up(divide_up(row_tiles, groups[1]) * tile_rows, tile_rows));
  block.n = std::min(kBlockColumns, divide_up(column_tiles, groups[0]) * tile_columns);
  block.k = std::clamp<std::size_t>(shape.k, 1, plan.size("DEPTH"));
  const std::size_t sums = shape.k > block.k ? block.m * block.n : 0;
  block.numbers = round_up(block.m * block.k + tile_columns * block.k + sums, 16);
  const auto scratch =
      submission.scratch(groups[0] * groups[1] * block.numbers * kernels::number_size(problem.type),
                         plan.variant->full_name());
  submission.launch(plan.kernel(), {groups, {1, 1}}, shape, problem.alpha, problem.beta,
                    problem.a.buffer(), problem.a.at, problem.b.buffer(), problem.b.at,
                    problem.c.buffer(), problem.c.at, block, scratch);
}

}  // namespace tessera::inline v0::multiplication
