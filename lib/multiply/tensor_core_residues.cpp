// The tensor_core_residues variant: doubles as integers, of which residues modulo several numbers
// are multiplied.
#include "multiply/tensor_core_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "kernels/fence_options.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/residues.hpp"
#include "multiply/stream_k.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// As in cl/multiply/tensor_core_residues.cl and cl/common/wide_blocks.cl.
constexpr MappedTiles kTiles = kTensorCoreResiduesTiles;
constexpr std::size_t kItems = 384, kSummers = 256, kRun = 2, kPieces = 16, kBytesOfMap = 128;
constexpr std::size_t kRowsOfNorms = 16, kRowsOfPack = 32, kDepthOfPack = 128, kItemsOfPack = 256;
constexpr std::size_t kPlanes = kModuli.size();

// Of the residues of A, of B, and of C; what has more is multiplied in parts.
constexpr std::size_t kMostOfA = std::size_t{4} << 30, kMostOfB = std::size_t{2} << 30,
                      kMostOfC = std::size_t{2} << 30, kMostRows = 16384;

// The rows of A, or the columns of B: Side in cl/multiply/tensor_core_residues.cl.
struct Side {
  cl_ulong offset, width, stride, k_stride, first, rows, groups;

  /// `count` of them from `at` on.
  Side part(std::size_t at, std::size_t count, std::size_t tile) const {
    return {
        offset + at * stride,         count, stride, k_stride, first + at, round_up(count, tile),
        divide_up(count, kRowsOfPack)};
  }
};

/// What the launches for a product have in common.
struct Residues {
  const Plan& plan;
  const Call& call;
  Submission& submission;
  std::size_t pitch;  // bytes of a row of residues
  Side a, b;
  cl::Buffer shifts = {}, of_a = {}, of_b = {}, of_c = {}, maps = {}, no_sums = {};

  cl::Buffer scratch(std::size_t bytes) const {
    return submission.scratch(std::max<std::size_t>(bytes, 16), plan.variant->full_name());
  }
  std::size_t slots() const { return submission.stream().context().device().info.compute_units; }
};

void enqueue_shifts(Residues& residues) {
  const Call& call = residues.call;
  residues.shifts = residues.scratch((call.shape.m + call.shape.n) * sizeof(cl_int));
  if (call.shape.k == 0) return;
  Side a = residues.a, b = residues.b;
  a.groups = divide_up(a.width, kRowsOfNorms);
  b.groups = divide_up(b.width, kRowsOfNorms);
  residues.submission.launch(residues.plan.program->kernel("multiply_shifts_of_rows"),
                             {{a.groups + b.groups, 1}, {kRowsOfNorms * kRowsOfNorms, 1}},
                             call.shape.k, call.a.buffer(), a, call.b.buffer(), b, residues.shifts);
}

/// The block of C from row `i` and column `j` on, from these rows and columns alone.
void enqueue_part(const Residues& residues, const Side& a, const Side& b, std::size_t i,
                  std::size_t j) {
  const Call& call = residues.call;
  const Plan& plan = residues.plan;
  Submission& submission = residues.submission;
  const Shape shape{a.width, b.width, call.shape.k};
  const std::size_t down = a.rows / kTiles.m, across = b.rows / kTiles.n;
  if (shape.k > 0) {
    Side to_pack = a;
    if (j > 0) to_pack.groups = 0;  // packed with the first columns
    submission.launch(plan.program->kernel("multiply_pack_residues"),
                      {{to_pack.groups + b.groups,
                        std::min(divide_up(shape.k, kDepthOfPack), operands::kMaxGroups)},
                       {kItemsOfPack, 1}},
                      shape.k, cl_ulong{residues.pitch}, call.a.buffer(), to_pack, residues.of_a,
                      call.b.buffer(), b, residues.of_b, residues.shifts);
    const Shape planes{kPlanes * a.rows, kPlanes * b.rows, shape.k};
    const StreamK work{static_cast<cl_uint>(kPlanes * down), static_cast<cl_uint>(across),
                       static_cast<cl_uint>(divide_up(shape.k, kTiles.k))};
    const Layout along_k{0, residues.pitch, 1, 0}, columns_along_k{0, 1, residues.pitch, 0};
    submission.launch(plan.kernel(), {{work.groups(residues.slots()), 1}, {kItems, 1}}, planes,
                      call.alpha, call.beta, work, residues.of_a, along_k, residues.of_b,
                      columns_along_k, residues.of_c, Layout{}, residues.maps, residues.no_sums,
                      submission.stream().counters());
  }
  Layout c_at = call.c.at;
  c_at.offset += i * c_at.row + j;
  Layout a_at = call.a.at, b_at = call.b.at;
  a_at.offset += i * a_at.row;
  b_at.offset += j * b_at.column;
  submission.launch(plan.program->kernel("multiply_join_residues"),
                    {{down * across * kPieces, 1}, {kSummers, 1}}, shape, call.alpha, call.beta,
                    static_cast<cl_uint>(down), static_cast<cl_uint>(across), residues.of_c,
                    call.a.buffer(), a_at, a.first, call.b.buffer(), b_at, b.first, residues.shifts,
                    call.c.buffer(), c_at);
}

/// Rows or columns of a part: whole tiles, in equal parts of at most `most`.
std::size_t part_of(std::size_t width, std::size_t tile, std::size_t most) {
  const std::size_t tiles = divide_up(width, tile),
                    parts = divide_up(tiles, std::max<std::size_t>(most / tile, 1));
  return divide_up(tiles, parts) * tile;
}

void enqueue_one(const Plan& plan, const Call& call, Submission& submission) {
  const Shape& shape = call.shape;
  const Layout &a_at = call.a.at, &b_at = call.b.at;
  Residues residues{.plan = plan,
                    .call = call,
                    .submission = submission,
                    .pitch = round_up(shape.k, kDepthOfPack),
                    .a = {a_at.offset, shape.m, a_at.row, a_at.column, 0, 0, 0},
                    .b = {b_at.offset, shape.n, b_at.column, b_at.row, shape.m, 0, 0}};
  enqueue_shifts(residues);
  const std::size_t row = kPlanes * std::max<std::size_t>(residues.pitch, 1),
                    most_rows = part_of(shape.m, kTiles.m, std::min(kMostOfA / row, kMostRows)),
                    most_columns =
                        part_of(shape.n, kTiles.n,
                                std::min(kMostOfB / row, kMostOfC / kPlanes / most_rows));
  residues.of_a = residues.scratch(kPlanes * most_rows * residues.pitch);
  residues.of_b = residues.scratch(kPlanes * most_columns * residues.pitch);
  residues.of_c = residues.scratch(kPlanes * most_rows * most_columns);
  residues.maps = residues.scratch(2 * kBytesOfMap * residues.slots());
  residues.no_sums = residues.scratch(0);
  for (std::size_t i = 0; i < shape.m; i += most_rows) {
    const Side a = residues.a.part(i, std::min(most_rows, shape.m - i), kTiles.m);
    for (std::size_t j = 0; j < shape.n; j += most_columns) {
      const Side b = residues.b.part(j, std::min(most_columns, shape.n - j), kTiles.n);
      enqueue_part(residues, a, b, i, j);
    }
  }
}

void enqueue_tensor_core_residues(const Plan& plan, const Call& call, Submission& submission) {
  if (call.shape.k > kMostResidueProducts)
    throw UnsupportedError(plan.variant->full_name(), "k is above 2^17");
  for_each_product(call, [&](const Call& one) { enqueue_one(plan, one, submission); });
}

std::string unsupported(const Target& target) {
  if (target.type != ElementType::float64 || target.mode.accuracy != Accuracy::bounded)
    return "for double in bounded accuracy";
  return target.device().has_wgmma ? "" : "the device has no wgmma (NVIDIA's Hopper)";
}

}  // namespace

MultiplyVariant tensor_core_residues() {
  return {
      .kernel = {
          .name = "tensor_core_residues",
          .summary = "for NVIDIA's Hopper: doubles as residues of a byte, on the tensor cores",
          .common = {"element.cl", "product.cl", "block_order.cl", "bulk_copies.cl",
                     "tensor_maps.cl", "wgmma.cl", "runs.cl", "fences.cl", "stream_k.cl",
                     "wide_blocks.cl", "word_bytes.cl", "residues.cl", "residue_planes.cl"},
          .parameters = {{"STAGES", "stages under way", {2, 3, 4}},
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred =
              [](const Target&) {
                return Parameters{{"STAGES", 4}, {"SWIZZLE", 16}};
              },
          .work_group =
              [](const Parameters&) {
                return WorkGroup{kItems, 1};
              },
          .unsupported_reason = unsupported,
          .options =
              [](const Parameters&, const Target& target) {
                return fmt::format(
                    " -D VARIANT=tensor_core_residues -D TILE_K={} -D A_ALONG_K=1 -D B_ALONG_K=1 "
                    "-D INTEGER_SUMS -D SUM=uint -D RUN={} -D ARRIVING={}{}{}",
                    kTiles.k, kRun, kSummers, residue_options(),
                    kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_tensor_core_residues};
}

}  // namespace tessera::inline v0::multiplication
