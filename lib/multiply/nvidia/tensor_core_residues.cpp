// The tensor_core_residues variants: doubles become integers, and the kernel multiplies their
// residues modulo several numbers.
#include "multiply/nvidia/tensor_core_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "kernels/fence_options.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "multiply/nvidia/residues.hpp"
#include "multiply/nvidia/wide_blocks.hpp"
#include "runtime/capabilities.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// Must match wide_sums.cl, residue_scales.cl, residue_planes.cl and tensor_maps.cl of cl/nvidia.
constexpr MappedTiles kTiles = kTensorCoreResiduesTiles;
constexpr std::size_t kSummers = 256, kRun = 2, kPieces = 16, kBytesOfMap = 128;
constexpr std::size_t kRowsOfNorms = 16, kNumbersOfPack = 32, kDepthOfPack = 128,
                      kItemsOfPack = 256;

// The rows of A, or the columns of B: Side in cl/nvidia/residue_scales.cl.
struct ResidueSide {
  cl_ulong offset, width, stride, k_stride, first, rows, groups;

  /// `count` of them from `at` on. A work-group packs `together` of these.
  ResidueSide part(std::size_t at, std::size_t count, std::size_t tile,
                   std::size_t together) const {
    return {offset + at * stride,      count, stride, k_stride, first + at, round_up(count, tile),
            divide_up(count, together)};
  }
};

/// Rows or columns of a part: whole tiles, in equal parts of at most `max`.
std::size_t part_of(std::size_t width, std::size_t tile, std::size_t max) {
  const std::size_t tiles = divide_up(width, tile),
                    parts = divide_up(tiles, std::max<std::size_t>(max / tile, 1));
  return divide_up(tiles, parts) * tile;
}

/// The division of a product and its memory, which the products of a batch use in turn.
struct Residues {
  const Plan& plan;
  Submission& submission;
  std::size_t planes, rows_of_pack, pitch, rows, columns, slots;
  cl::Buffer shifts, of_a, of_b, of_c, maps, no_sums;

  /// The residues of A's rows take at most `limit` bytes. The residues of B's columns, and of the
  /// products, take at most half of it each.
  Residues(const Plan& its_plan, const Call& call, Submission& its_submission, std::size_t limit)
      : Residues(its_plan, call.shape, is_complex(call.types().a), its_submission, limit) {}

 private:
  static constexpr std::size_t kWidth = std::size_t{1} << 18;  // so that columns are not few

  Residues(const Plan& its_plan, const Shape& shape, bool complex, Submission& its_submission,
           std::size_t limit)
      : plan(its_plan),
        submission(its_submission),
        planes(planes_for(complex)),
        rows_of_pack(kNumbersOfPack / (complex ? 2 : 1)),
        pitch(round_up(shape.k, kDepthOfPack)),
        rows(part_of(shape.m, kTiles.m, std::min(limit / bytes_of_row(), limit / kWidth))),
        columns(part_of(shape.n, kTiles.n,
                        std::min(limit / 2 / bytes_of_row(), limit / 2 / planes / rows))),
        slots(submission.stream().context().device().info.compute_units),
        shifts(scratch((shape.m + shape.n) * sizeof(cl_int))),
        of_a(scratch(planes * rows * pitch)),
        of_b(scratch(planes * columns * pitch)),
        of_c(scratch(shape.k == 0 ? 0 : planes * rows * columns)),
        maps(scratch(2 * kBytesOfMap * slots)),
        no_sums(scratch(0)) {}

  std::size_t bytes_of_row() const { return planes * std::max<std::size_t>(pitch, 1); }

  cl::Buffer scratch(std::size_t bytes) {
    return submission.scratch(std::max<std::size_t>(bytes, 16), plan.variant->full_name());
  }
};

void enqueue_shifts(const Residues& residues, const Call& call, ResidueSide a, ResidueSide b) {
  if (call.shape.k == 0) return;
  a.groups = divide_up(a.width, kRowsOfNorms);
  b.groups = divide_up(b.width, kRowsOfNorms);
  residues.submission.launch(residues.plan.program->kernel("multiply_shifts_of_rows"),
                             {{a.groups + b.groups, 1}, {kRowsOfNorms * kRowsOfNorms, 1}},
                             call.shape.k, call.a.buffer(), a, call.b.buffer(), b, residues.shifts);
}

/// An operand without groups is packed already.
void enqueue_pack(const Residues& residues, const Call& call, const ResidueSide& a,
                  const ResidueSide& b) {
  if (a.groups + b.groups == 0) return;
  residues.submission.launch(
      residues.plan.program->kernel("multiply_pack_residues"),
      {{a.groups + b.groups, std::min(divide_up(call.shape.k, kDepthOfPack), operands::kMaxGroups)},
       {kItemsOfPack, 1}},
      call.shape.k, cl_ulong{residues.pitch}, call.a.buffer(), a, residues.of_a, call.b.buffer(), b,
      residues.of_b, residues.shifts);
}

/// The products of all planes, and from them the block of C from row `i` and column `j` on.
void enqueue_block(const Residues& residues, const Call& call, const ResidueSide& a,
                   const ResidueSide& b, std::size_t i, std::size_t j) {
  Submission& submission = residues.submission;
  const Plan& plan = residues.plan;
  const Shape shape{a.width, b.width, call.shape.k};
  const std::size_t down = a.rows / kTiles.m, across = b.rows / kTiles.n;
  if (shape.k > 0) {
    constexpr cl_double kUnused = 0;  // alpha and beta
    const Shape planes{residues.planes * a.rows, residues.planes * b.rows, shape.k};
    const StreamK work{static_cast<cl_uint>(residues.planes * down), static_cast<cl_uint>(across),
                       static_cast<cl_uint>(divide_up(shape.k, kTiles.k))};
    const Layout rows_along_k{0, residues.pitch, 1, 0}, columns_along_k{0, 1, residues.pitch, 0};
    submission.launch(plan.kernel(), {{work.groups(residues.slots), 1}, plan.group}, planes,
                      kUnused, kUnused, work, residues.of_a, rows_along_k, residues.of_b,
                      columns_along_k, residues.of_c, Layout{}, residues.maps, residues.no_sums,
                      submission.stream().counters());
  }
  Layout a_at = call.a.at, b_at = call.b.at, c_at = call.c.at;
  a_at.offset += i * a_at.row;
  b_at.offset += j * b_at.column;
  c_at.offset += i * c_at.row + j;
  submission.launch(plan.program->kernel("multiply_join_residues"),
                    {{2 * down * across * kPieces, 1}, {kSummers, 1}}, shape, call.alpha, call.beta,
                    static_cast<cl_uint>(down), static_cast<cl_uint>(across), residues.of_c,
                    call.a.buffer(), a_at, a.first, call.b.buffer(), b_at, b.first, residues.shifts,
                    call.c.buffer(), c_at);
}

void enqueue_one(const Residues& residues, const Call& call) {
  const Shape& shape = call.shape;
  const Layout &a_at = call.a.at, &b_at = call.b.at;
  const ResidueSide all_a{a_at.offset, shape.m, a_at.row, a_at.column, 0, 0, 0},
      all_b{b_at.offset, shape.n, b_at.column, b_at.row, shape.m, 0, 0};
  enqueue_shifts(residues, call, all_a, all_b);
  const bool b_is_whole = residues.columns >= shape.n;
  for (std::size_t i = 0; i < shape.m; i += residues.rows) {
    const ResidueSide a =
        all_a.part(i, std::min(residues.rows, shape.m - i), kTiles.m, residues.rows_of_pack);
    for (std::size_t j = 0; j < shape.n; j += residues.columns) {
      const ResidueSide b =
          all_b.part(j, std::min(residues.columns, shape.n - j), kTiles.n, residues.rows_of_pack);
      ResidueSide a_to_pack = a, b_to_pack = b;
      if (j > 0) a_to_pack.groups = 0;
      if (i > 0 && b_is_whole) b_to_pack.groups = 0;
      if (shape.k > 0) enqueue_pack(residues, call, a_to_pack, b_to_pack);
      enqueue_block(residues, call, a, b, i, j);
    }
  }
}

void enqueue_tensor_core_residues(const Plan& plan, const Call& call, Submission& submission) {
  constexpr std::size_t kMaxBytes = std::size_t{4} << 30, kShare = 32;  // of the device's memory
  const DeviceCapabilities& device = runtime::capabilities(submission.stream());
  enqueue_residues(
      plan, call, submission,
      std::min<std::size_t>({kMaxBytes, device.max_allocation, device.global_memory / kShare}));
}

template <bool by_wgmma>
std::string unsupported(const Target& target) {
  if (target.mode.accuracy != Accuracy::bounded) return "computes in bounded accuracy only";
  return no_products(by_wgmma, kTiles.stage(), target.device());
}

Parameters preferred(const Target& target) {
  return {{"STAGES", stages_that_fit(kTiles.stage(), target.device())}, {"SWIZZLE", 16}};
}

std::size_t bytes_of_stages(const Parameters& p) {
  return kernels::size(p, "STAGES") * kTiles.stage();
}

template <bool by_wgmma>
MultiplyVariant residues(const std::string& variant, const std::string& summary) {
  return {
      .kernel = {
          .name = variant,
          .summary = summary,
          .types = {ElementType::float64, ElementType::complex128},
          .parameters = {{"STAGES", "stages in flight", {2, 3, 4}},
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred = preferred,
          .rules = {stages_fit(bytes_of_stages, {"STAGES"})},
          .work_group =
              [](const Parameters&) {
                return WorkGroup{items_of_wide_blocks(by_wgmma), 1};
              },
          .unsupported_reason = unsupported<by_wgmma>,
          .options =
              [variant](const Parameters&, const Target& target) {
                return fmt::format(
                    " -D VARIANT={} -D TILE_N={} -D TILE_K={} -D WARP_M={} -D A_ALONG_K=1 -D "
                    "B_ALONG_K=1 -D SLICES=1 -D INTEGER_SUMS -D SUM=uint -D CONTIGUOUS={} -D "
                    "ARRIVING={}{}{}",
                    variant, kTiles.n, kTiles.k, rows_of_warp(by_wgmma), kRun, kSummers,
                    residue_options(is_complex(target.types.a)),
                    kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_tensor_core_residues};
}

}  // namespace

void enqueue_residues(const Plan& plan, const Call& call, Submission& submission,
                      std::size_t limit) {
  if (call.shape.k > kMaxResidueProducts)
    throw UnsupportedError(plan.variant->full_name(), "k is above 2^17");
  const Residues residues(plan, call, submission, limit);
  for_each_product(call, [&](const Call& one) { enqueue_one(residues, one); });
}

MultiplyVariant tensor_core_residues() {
  return residues<true>("tensor_core_residues",
                        "for NVIDIA's Hopper: doubles, or complex ones, as residues of a byte, on "
                        "the tensor cores");
}

MultiplyVariant mma_residues() {
  return residues<false>("mma_residues",
                         "for NVIDIA's GPUs from Ampere on: doubles, or complex ones, as residues "
                         "of a byte, on the tensor cores");
}

}  // namespace tessera::inline v0::multiplication
