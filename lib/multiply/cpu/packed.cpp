// The packed variant: splits the product among work-items, one per compute unit, each with scratch
// memory for its panels.
#include "multiply/cpu/packed.hpp"

#include <algorithm>
#include <vector>

#include "kernels/prefetch.hpp"
#include "multiply/cpu/share_out.hpp"
#include "multiply/cpu/vector_registers.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/product_types.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Rule;
using kernels::Target;

// Must match cl/multiply/packed.cl.
struct Blocking {
  cl_ulong m, n, k, parts, height, numbers, batch, pieces;
};

/// Blocks of A for which a block of B is packed once. More blocks need more partial sums, which no
/// longer fit into a near cache.
constexpr std::size_t kBlocksOfA = 4;
/// Elements of C of the smallest piece of a rectangle that is worth its own packing.
constexpr std::size_t kSmallestPiece = 96UL * 96;

/// The length of the equal blocks, in multiples of `unit`, into which `length` is divided: at most
/// `maximum`, or one unit.
std::size_t block_of(std::size_t length, std::size_t maximum, std::size_t unit) {
  const std::size_t blocks = divide_up(length, std::max(maximum / unit, std::size_t{1}) * unit);
  return round_up(divide_up(length, blocks), unit);
}

/// The call in numbers: a complex product as cl/common/pairs.cl reads it.
Call in_numbers(Call call) {
  if (!is_complex(call.types().a)) return call;
  call.shape.n *= 2;
  call.shape.k *= 2;
  call.a.at.row *= 2;
  call.c.at.row *= 2;
  for (operands::Operand* operand : {&call.a, &call.b, &call.c}) {
    operand->at.offset *= 2;
    operand->at.batch *= 2;
  }
  return call;
}

void enqueue_packed(const Plan& plan, const Call& values, runtime::Submission& submission) {
  const Call call = in_numbers(values);
  const Shape& shape = call.shape;
  const Tiles tiles =
      tiles_of(shape, plan.size("MR"), plan.size("VECTOR") * plan.size("NR_VECTORS"));
  const std::size_t items = submission.stream().context().device().info.compute_units;
  // Whole products first; a work-item has one after another.
  const std::size_t shares = std::min(call.batch(), items);
  const std::size_t block_rows = kBlocksOfA * plan.size("MC");
  const auto groups = share_out(tiles, std::max<std::size_t>(items / shares, 1), block_rows);

  // No larger than the rectangles, so that a small product needs little memory.
  const std::size_t rows = divide_up(tiles.down, groups[1]) * tiles.rows,
                    columns = divide_up(tiles.across, groups[0]) * tiles.columns;
  Blocking block{};
  block.m = block_of(rows, plan.size("MC"), tiles.rows);
  block.n = block_of(columns, plan.size("NC"), tiles.columns);
  const std::size_t chunk = std::max(plan.size("UNROLL"), plan.size("VECTOR")),
                    maximum = plan.size("KC") + plan.size("PAD"),
                    chunks = divide_up(shape.k, chunk);
  block.parts = std::max<std::size_t>(divide_up(chunks, maximum / chunk), 1);
  block.k = divide_up(chunks, block.parts) * chunk;
  const std::size_t row_step = plan.parameters.at("A_ROW_MAJOR") == 1 ? maximum : block.k;
  block.height = kBlocksOfA * block.m;
  const std::size_t sums =
      block.parts > 1 ? std::min<std::size_t>(block.height, rows) * block.n : 0;
  block.numbers = round_up(block.m * row_step + block.k * block.n + sums, 16);
  block.batch = call.batch();
  block.pieces = pieces_of(divide_up(call.batch(), shares) * rows * columns, kSmallestPiece,
                           plan.size("PIECES"));
  const auto scratch = submission.scratch(
      shares * groups[0] * groups[1] * block.numbers * operands::part_size(call.types().sum),
      plan.variant->full_name());
  submission.launch(plan.kernel(), {{groups[0], groups[1], shares}, {1, 1}}, shape, call.alpha,
                    call.beta, call.a.buffer(), call.a.at, call.b.buffer(), call.b.at,
                    call.c.buffer(), call.c.at, block, scratch, submission.stream().counters());
}

/// Tiles fill the vector registers, with few loads for each product: 4 of B and 6 of A for 24.
/// Blocks of A fill half of a second-level cache of 1 MiB, or of 256 KiB. On a shared machine,
/// products of 2048 and 4096 take 20 to 30 % less time with five pieces than with one on 16 cores,
/// and 10 % less on four. On two cores five pieces gain nothing, and are 6 % slower if both
/// operands are transposed.
Parameters preferred(const Target& target) {
  const bool many = registers(target) == 32;
  return {{"MR", 6},
          {"VECTOR", vector_size(target)},
          {"NR_VECTORS", many ? 4 : 2},
          {"UNROLL", 16},
          {"KC", 256},
          {"A_ROW_MAJOR", 1},
          {"PAD", 16},
          {"PREFETCH", kernels::can_prefetch(target) ? 1 : 0},
          {"MC", many ? (operands::part_size(target.types.sum) == 4 ? 264 : 192) : 96},
          {"NC", 3072},
          {"PIECES", target.device().compute_units > 2 ? 5 : 1}};
}

std::vector<kernels::Parameter> parameters() {
  return {{"MR", "rows of a tile", {4, 6, 8, 10, 12, 14}},
          {"VECTOR", "numbers of a vector", {4, 8, 16}},
          {"NR_VECTORS", "vectors in a row of a tile", {1, 2, 3, 4}},
          {"UNROLL", "steps along k without a branch", {1, 4, 16}},
          {"KC", "depth of a packed block", {128, 256, 512}},
          {"A_ROW_MAJOR", "panels of A are 0: by columns, 1: by rows", {0, 1}},
          {"PAD", "numbers between rows of a panel by rows", {0, 16}},
          {"PREFETCH", "1: operands and C are prefetched; 0: not", {0, 1}},
          {"MC", "rows of a packed block of A", {96, 192, 264, 384}, true},
          {"NC", "columns of C for each copy of a block of A", {1536, 3072}, true},
          {"PIECES", "pieces of a work-item's part of C, dealt out by size", {1, 3, 5}, true}};
}

std::vector<Rule> rules() {
  std::vector<Rule> all = register_rules();
  all.push_back(
      {.text = "PAD is 0 unless A_ROW_MAJOR is 1",
       .holds = [](const Parameters& p,
                   const Target&) { return p.at("PAD") == 0 || p.at("A_ROW_MAJOR") == 1; },
       .depends_on = {"A_ROW_MAJOR", "PAD"}});
  all.push_back(kernels::prefetch_rule());
  return all;
}

}  // namespace

MultiplyVariant packed() {
  return {.kernel = {.name = "packed",
                     .summary =
                         "for CPUs: operands packed into panels, a tile of C in vector registers",
                     .types = all_product_types(),
                     .parameters = parameters(),
                     .preferred = preferred,
                     .rules = rules(),
                     .for_cpus = true},
          .enqueue = enqueue_packed};
}

}  // namespace tessera::inline v0::multiplication
