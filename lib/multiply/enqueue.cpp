// Enqueueing the variants that prepare their operands first.
#include "multiply/enqueue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "tessera/error.hpp"

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

namespace {

/// An operand as an image: elements of the operand, pixels of the image.
struct ImageOf {
  cl_ulong rows, columns;
  cl_uint width, height;
};

ImageOf image_of(const kernels::Plan& plan, const DeviceInfo& device, std::size_t rows,
                 std::size_t columns, std::size_t pixel, std::size_t height) {
  const std::size_t width = std::max<std::size_t>(divide_up(columns, pixel), 1);
  if (width > device.max_image_width || height > device.max_image_height) {
    throw UnsupportedError(
        plan.variant->full_name(),
        fmt::format("an operand of {} x {} elements needs an image of {} x {} pixels; {} allows "
                    "{} x {}",
                    rows, columns, width, height, device.name, device.max_image_width,
                    device.max_image_height));
  }
  return {rows, columns, static_cast<cl_uint>(width), static_cast<cl_uint>(height)};
}

}  // namespace

void enqueue_image(const kernels::Plan& plan, const Problem& problem,
                   runtime::Submission& submission) {
  const Shape& shape = problem.shape;
  const bool is_double = problem.type == ElementType::float64;
  const std::size_t pixel = is_double ? 2 : 4;
  const auto& device = submission.stream().context().device().info;
  const ImageOf a = image_of(plan, device, shape.m, shape.k, pixel, shape.m);
  const ImageOf b =
      image_of(plan, device, shape.k, shape.n, pixel, std::max(round_up(shape.k, pixel), pixel));

  const bool in_words = is_double || problem.type == ElementType::int32;
  const cl::ImageFormat format(CL_RGBA, in_words ? CL_UNSIGNED_INT32 : CL_FLOAT);
  const auto group = plan.variant->work_group(plan.parameters);
  const auto cover = [&](std::size_t columns, std::size_t rows) {
    return runtime::Grid{{divide_up(columns, group[0]), divide_up(rows, group[1])}, group};
  };
  const auto a_image =
      submission.scratch_image(format, a.width, a.height, plan.variant->full_name());
  const auto b_image =
      submission.scratch_image(format, b.width, b.height, plan.variant->full_name());
  auto& pack = plan.kernel("_pack");
  if (shape.k > 0) {
    submission.launch(pack, cover(a.width, a.height), a.rows, a.columns, a.width, a.height,
                      problem.a.buffer(), problem.a.at, a_image);
    submission.launch(pack, cover(b.width, b.height), b.rows, b.columns, b.width, b.height,
                      problem.b.buffer(), problem.b.at, b_image);
  }
  submission.launch(plan.kernel(), cover(b.width, shape.m), shape, problem.alpha, problem.beta,
                    a_image, b_image, problem.c.buffer(), problem.c.at);
}

void enqueue_intel_subgroup_block(const kernels::Plan& plan, const Problem& problem,
                                  runtime::Submission& submission) {
  const Shape& shape = problem.shape;
  const std::size_t lanes = plan.size("LANES"), sub_groups = plan.size("SUB_GROUPS");
  const std::size_t rows = round_up(shape.m, plan.size("ROWS") * sub_groups);
  const std::size_t columns = round_up(shape.n, lanes * plan.size("COLUMNS"));
  const std::size_t depth = round_up(std::max<std::size_t>(shape.k, 1), lanes);
  const std::size_t word_size =
      std::max<std::size_t>(kernels::number_size(problem.type), sizeof(cl_uint));
  const auto a_packed = submission.scratch(rows * depth * word_size, plan.variant->full_name());
  const auto b_packed = submission.scratch(depth * columns * word_size, plan.variant->full_name());
  if (shape.k > 0) {
    submission.launch(plan.kernel("_pack_a"), {{depth / lanes, rows}, {lanes, 1}}, shape,
                      problem.a.buffer(), problem.a.at, a_packed);
    submission.launch(plan.kernel("_pack_b"), {{columns / lanes, depth}, {lanes, 1}}, shape,
                      problem.b.buffer(), problem.b.at, b_packed);
  }
  submission.launch(
      plan.kernel(),
      {{columns / (lanes * plan.size("COLUMNS")), rows / (plan.size("ROWS") * sub_groups)},
       {lanes, sub_groups}},
      shape, problem.alpha, problem.beta, a_packed, b_packed, problem.c.buffer(), problem.c.at);
}

}  // namespace tessera::inline v0::multiplication
