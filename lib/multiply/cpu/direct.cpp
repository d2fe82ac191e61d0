// The direct variant: C divided among work-items, each with scratch memory for one panel.
#include "multiply/cpu/direct.hpp"

#include <algorithm>
#include <string>

#include "kernels/prefetch.hpp"
#include "multiply/cpu/share_out.hpp"
#include "multiply/cpu/vector_registers.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/product_types.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Target;

// Must match cl/multiply/direct.cl.
struct Share {
  cl_ulong batch, pieces, numbers;
};

/// Elements of C of the smallest piece of a rectangle, about a tile. With many small pieces,
/// threads that begin before others do more.
constexpr std::size_t kSmallestPiece = 256, kPieces = 5;

void enqueue_direct(const Plan& plan, const Call& call, runtime::Submission& submission) {
  const Shape& shape = call.shape;
  const std::size_t rows = plan.size("MR"), columns = plan.size("VECTOR") * plan.size("NR_VECTORS");
  const std::size_t items = submission.stream().context().device().info.compute_units;
  // Divide the batch first; a work-item computes its products one after another.
  const std::size_t shares = std::min(call.batch(), items);
  const Tiles tiles = tiles_of(shape, rows, columns);
  const auto groups = share_out(tiles, std::max<std::size_t>(items / shares, 1), shape.m);
  const std::size_t elements = divide_up(call.batch(), shares) * divide_up(tiles.down, groups[1]) *
                               rows * divide_up(tiles.across, groups[0]) * columns;
  const std::size_t depth = std::min<std::size_t>(shape.k, plan.size("KC"));
  const Share share{call.batch(), pieces_of(elements, kSmallestPiece, kPieces),
                    round_up(depth * columns, 16)};
  const auto scratch = submission.scratch(
      std::max<std::size_t>(shares * groups[0] * groups[1] * share.numbers, 1) * call.number_size(),
      plan.variant->full_name());
  submission.launch(plan.kernel(), {{groups[0], groups[1], shares}, {1, 1}}, shape, call.alpha,
                    call.beta, call.a.buffer(), call.a.at, call.b.buffer(), call.b.at,
                    call.c.buffer(), call.c.at, share, scratch, submission.stream().counters());
}

/// The sums take half of 32 registers. With 24 sums, products of 96 to 300 rows are up to a quarter
/// faster on PoCL, but products of 32 rows are two fifths slower. On Intel's runtime, single
/// products are up to a sixth slower.
Parameters preferred(const Target& target) {
  const bool many = registers(target) == 32;
  return {{"MR", many ? 4 : 6},
          {"VECTOR", vector_size(target)},
          {"NR_VECTORS", many ? 4 : 2},
          {"UNROLL", 4},
          {"KC", 1024}};
}

}  // namespace

MultiplyVariant direct() {
  return {.kernel = {.name = "direct",
                     .summary = "for CPUs, small products: operands without a copy, a tile of C in "
                                "vector registers",
                     .types = real_types(),
                     .parameters = {{"MR", "rows of a tile", {4, 6, 8, 12}},
                                    {"VECTOR", "numbers of a vector", {4, 8, 16}},
                                    {"NR_VECTORS", "vectors in a row of a tile", {1, 2, 4}},
                                    {"UNROLL", "steps along k without a branch", {1, 4, 8}},
                                    {"KC", "depth of a copied panel", {128, 256, 1024}}},
                     .preferred = preferred,
                     .rules = register_rules(),
                     .options =
                         [](const Parameters&, const Target& target) {
                           return std::string(" -D A_ROW_MAJOR=0 -D PAD=0 -D PREFETCH=") +
                                  (kernels::can_prefetch(target) ? "1" : "0");
                         },
                     .for_cpus = true},
          .enqueue = enqueue_direct};
}

}  // namespace tessera::inline v0::multiplication
