// Variants that pack floats into halves, and multiply them by wgmma or mma.sync.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/fence_options.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "multiply/nvidia/mapped.hpp"
#include "multiply/nvidia/split_halves.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// Must match cl/nvidia/half_sums.cl, and tensor_core_hopper.cl and mma_halves.cl of cl/multiply.
constexpr MappedTiles kTiles = split_halves_tiles(true);
constexpr std::size_t kSummers = 256, kCopiers = 128, kContiguous = 2;

constexpr std::size_t kRowsOfGroup = 32;

// The rows of A, or the columns of B: Side in cl/nvidia/split_halves.cl.
struct HalvesSide {
  cl_ulong offset, width, stride, k_stride, rows, groups;
};

/// Each row or column becomes `parts` rows of the panels.
HalvesSide halves_side(const Layout& at, std::size_t width, cl_ulong stride, cl_ulong k_stride,
                       std::size_t tile, std::size_t parts = 1) {
  const std::size_t rows = round_up(parts * width, tile);
  return {at.offset, width, stride, k_stride, rows, rows / kRowsOfGroup};
}

cl::Buffer scratch_of_halves(const Plan& plan, const HalvesSide& side, std::size_t depth,
                             Submission& submission) {
  const std::size_t bytes = side.rows * depth * kTiles.number;
  return submission.scratch(std::max<std::size_t>(bytes, 16), plan.variant->full_name());
}

/// The largest magnitudes of A's rows and B's columns, by which they are scaled. Row 0 is for the
/// whole depth, row 1 + p for part p of it.
struct Largest {
  cl::Buffer memory;
  std::size_t parts;
};

Largest enqueue_largest(const Plan& plan, const Call& call, HalvesSide a, HalvesSide b,
                        Submission& submission) {
  b.groups /= operands::parts_of(call.types().b);  // one for 32 columns, not for 32 rows of panels
  constexpr std::size_t kGroups = 2048, kMaxParts = 32;
  const std::size_t across = a.groups + b.groups,
                    parts = std::min({divide_up(kGroups, across), kMaxParts,
                                      divide_up(call.shape.k, kRowsOfGroup)});
  Largest largest{submission.scratch((1 + parts) * (a.rows + b.rows) * sizeof(cl_uint),
                                     plan.variant->full_name()),
                  parts};
  if (parts > 0) {
    submission.launch(plan.program->kernel("multiply_largest_of_rows"),
                      {{across, parts}, {kRowsOfGroup, 8}}, call.shape.k, call.a.buffer(), a,
                      call.b.buffer(), b, largest.memory);
  }
  return largest;
}

void enqueue_split_halves(const Plan& plan, const Call& call, Submission& submission) {
  constexpr std::size_t kItemsOfPack = 256, kDepthOfPack = 64;
  const std::size_t slots = submission.stream().context().device().info.compute_units,
                    parts = operands::parts_of(call.types().a);
  for_each_product(call, [&](const Call& one) {
    const Shape &values = one.shape, numbers{values.m, parts * values.n, parts * values.k};
    const StreamK work =
        joined_where_it_can(stream_k(divide_up(numbers.m, kTiles.m), divide_up(numbers.n, kTiles.n),
                                     divide_up(numbers.k, plan.size("TILE_K")), slots),
                            submission.stream());
    const HalvesSide a = halves_side(one.a.at, values.m, one.a.at.row, one.a.at.column, kTiles.m),
                     b = halves_side(one.b.at, values.n, one.b.at.column, one.b.at.row, kTiles.n,
                                     parts);
    const Layout c_at{parts * one.c.at.offset, parts * one.c.at.row, 1, 0};
    const std::size_t depth = numbers.k == 0 ? 0 : work.steps * plan.size("TILE_K");
    const auto a_panels = scratch_of_halves(plan, a, depth, submission),
               b_panels = scratch_of_halves(plan, b, depth, submission);
    const auto [largest, splits] = enqueue_largest(plan, one, a, b, submission);
    const std::size_t along_k =
        std::clamp<std::size_t>(divide_up(depth, kDepthOfPack), 1, operands::kMaxGroups);
    submission.launch(plan.program->kernel("multiply_pack_halves"),
                      {{a.groups + b.groups, along_k}, {kItemsOfPack, 1}}, values.k, one.a.buffer(),
                      a, a_panels, one.b.buffer(), b, b_panels, largest,
                      static_cast<cl_uint>(splits));
    const auto sums = memory_of_sums(plan, one, work, kTiles.m * kTiles.n / parts, submission);
    submission.launch(plan.kernel(), {{work.groups(slots), 1}, plan.group}, numbers, one.alpha,
                      one.beta, work, a_panels, b_panels, largest, one.c.buffer(), c_at, sums,
                      submission.stream().counters());
    if (work.needs_join()) {
      submission.launch(
          plan.kernel("_join"),
          {{kTiles.m * kTiles.n / kSummers / kContiguous, work.shared}, {kSummers, 1}}, numbers,
          one.alpha, one.beta, work, sums, largest, one.c.buffer(), c_at);
    }
  });
}

std::size_t bytes_of_stages(const Parameters& p) {
  return size(p, "STAGES") * (kTiles.m + kTiles.n) * size(p, "TILE_K") * kTiles.number;
}

constexpr MappedTiles kAmpereTiles = split_halves_tiles(false);

Parameters preferred_by_wgmma(const Target&) {
  return {{"TILE_K", static_cast<int>(kTiles.k)}, {"STAGES", 2}, {"SWIZZLE", 8}};
}

Parameters preferred_by_warps(const Target& target) {
  return {{"TILE_K", static_cast<int>(kAmpereTiles.k)},
          {"STAGES", stages_that_fit(kAmpereTiles.stage(), target.device())},
          {"SWIZZLE", 8}};
}

template <bool by_wgmma>
std::string unsupported(const Target& target) {
  if (target.mode.accuracy != Accuracy::bounded) return "computes in bounded accuracy only";
  return no_products(by_wgmma, kAmpereTiles.stage(), target.device());
}

template <bool by_wgmma>
MultiplyVariant split_halves(const std::string& variant, const std::string& summary) {
  return {
      .kernel = {
          .name = variant,
          .summary = summary,
          .types = {ElementType::float32, ElementType::complex64},
          .parameters = {{"TILE_K", "depth of a stage",
                          by_wgmma ? std::vector<int>{32, 64, 128} : std::vector<int>{32}},
                         {"STAGES", "stages in flight", {2, 3, 4}},
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred = by_wgmma ? preferred_by_wgmma : preferred_by_warps,
          .rules = {stages_fit(bytes_of_stages, {"TILE_K", "STAGES"})},
          .work_group =
              [](const Parameters&) {
                return WorkGroup{by_wgmma ? kSummers + kCopiers : kSummers, 1};
              },
          .unsupported_reason = unsupported<by_wgmma>,
          .options =
              [variant](const Parameters&, const Target& target) {
                return fmt::format(" -D VARIANT={} -D SUM=number -D CONTIGUOUS={} -D ARRIVING={}{}",
                                   variant, kContiguous, kSummers,
                                   kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_split_halves};
}

}  // namespace

MultiplyVariant tensor_core_hopper() {
  return split_halves<true>("tensor_core_hopper",
                            "for NVIDIA's Hopper: floats, or complex ones, as two halves each, on "
                            "the tensor cores");
}

MultiplyVariant mma_halves() {
  return split_halves<false>("mma_halves",
                             "for NVIDIA's GPUs from Ampere on: floats, or complex ones, as two "
                             "halves each, on the tensor cores");
}

}  // namespace tessera::inline v0::multiplication
