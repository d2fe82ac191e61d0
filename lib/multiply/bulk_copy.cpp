// The bulk_copy variant: both operands packed into panels, k by k.
#include "multiply/bulk_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "multiply/enqueue.hpp"
#include "multiply/stream_k.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using operands::number_size;
using runtime::Submission;

/// Local memory that a kernel may have there, and what a compute unit has for all of its
/// work-groups.
constexpr std::size_t kLocalMemory = std::size_t{224} << 10, kOfUnit = std::size_t{227} << 10;

/// As in cl/common/k_major.cl.
std::size_t pad(ElementType type) { return type == ElementType::float64 ? 4 : 0; }

/// Of C, of a work-item.
std::size_t sums_of_item(ElementType type) { return type == ElementType::float64 ? 64 : 128; }

/// RUN of the kernel.
std::size_t run_of(ElementType type) {
  return type == ElementType::float64 || type == ElementType::float16 ? 2 : 4;
}

/// With barriers, and what the driver takes.
std::size_t local_bytes(const Parameters& p, ElementType type) {
  return size(p, "STAGES") * (size(p, "TILE_M") + size(p, "TILE_N") + 2 * pad(type)) *
             size(p, "TILE_K") * number_size(type) +
         (std::size_t{2} << 10);
}

constexpr std::size_t kPackTile = 32;

// The rows of A, or the columns of B: Side in cl/common/k_major.cl.
struct PanelsSide {
  cl_ulong offset, width, stride, k_stride, panel, groups;
};

PanelsSide panels_side(const operands::Layout& at, std::size_t width, cl_ulong stride,
                       cl_ulong k_stride, std::size_t panel) {
  return {at.offset, width, stride, k_stride, panel, round_up(width, panel) / kPackTile};
}

cl::Buffer scratch_of_panels(const Plan& plan, const Call& call, const PanelsSide& side,
                             std::size_t depth, Submission& submission) {
  const std::size_t panels = divide_up(side.width, side.panel),
                    numbers = panels * (side.panel + pad(call.type())) * depth;
  return submission.scratch(std::max<std::size_t>(numbers, 1) * number_size(call.type()),
                            plan.variant->full_name());
}

void enqueue_bulk_copy(const Plan& plan, const Call& call, Submission& submission) {
  const std::size_t tile_m = plan.size("TILE_M"), tile_n = plan.size("TILE_N"),
                    items = tile_m * tile_n / sums_of_item(call.type());
  // Two work-groups share a compute unit where registers and local memory allow.
  constexpr std::size_t kItemsOfUnit = 256;
  const std::size_t resident = std::max<std::size_t>(
      std::min(kOfUnit / local_bytes(plan.parameters, call.type()), kItemsOfUnit / items), 1);
  const std::size_t slots = submission.stream().context().device().info.compute_units * resident;
  for_each_product(call, [&](const Call& one) {
    const Shape& shape = one.shape;
    const StreamK work = stream_k(divide_up(shape.m, tile_m), divide_up(shape.n, tile_n),
                                  divide_up(shape.k, plan.size("TILE_K")), slots);
    const PanelsSide a = panels_side(one.a.at, shape.m, one.a.at.row, one.a.at.column, tile_m),
                     b = panels_side(one.b.at, shape.n, one.b.at.column, one.b.at.row, tile_n);
    const std::size_t depth = work.steps * plan.size("TILE_K");
    const auto a_panels = scratch_of_panels(plan, one, a, depth, submission),
               b_panels = scratch_of_panels(plan, one, b, depth, submission);
    if (depth > 0) {
      submission.launch(
          plan.program->kernel("multiply_pack_panels"),
          {{a.groups + b.groups, std::min(divide_up(depth, kPackTile), operands::kMaxGroups)},
           {kPackTile, 8}},
          shape.k, one.a.buffer(), a, a_panels, one.b.buffer(), b, b_panels);
    }
    const auto sums = scratch_of_sums(plan, one, work, tile_m * tile_n, submission);
    submission.launch(plan.kernel(), {{work.groups(), 1}, {items, 1}}, shape, one.alpha, one.beta,
                      work, a_panels, b_panels, one.c.buffer(), one.c.at, sums);
    if (work.shared > 0)
      submission.launch(
          plan.kernel("_join"),
          {{sums_of_item(call.type()) / run_of(call.type()), work.shared}, {items, 1}}, shape,
          one.alpha, one.beta, work, sums, one.c.buffer(), one.c.at);
  });
}

std::vector<kernels::Parameter> parameters() {
  return {{"TILE_M", "rows of C of a work-group", {64, 128, 256}},
          {"TILE_N", "columns of C of a work-group", {64, 128, 256}},
          {"TILE_K", "depth of a stage", {8, 16, 32}},
          {"STAGES", "stages under way", {2, 3, 4}},
          {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}};
}

Parameters preferred(const Target& target) {
  return {{"TILE_M", 128},
          {"TILE_N", 128},
          {"TILE_K", 32},
          {"STAGES", target.type == ElementType::float64 ? 2 : 3},
          {"SWIZZLE", 8}};
}

std::vector<kernels::Rule> rules() {
  return {
      {.text = "the stages take at most 224 KiB of local memory",
       .holds = [](const Parameters& p,
                   const Target& target) { return local_bytes(p, target.type) <= kLocalMemory; },
       .depends_on = {"TILE_M", "TILE_N", "TILE_K", "STAGES"}},
      {.text = "a work-group has at most 256 work-items",
       .holds =
           [](const Parameters& p, const Target& target) {
             return size(p, "TILE_M") * size(p, "TILE_N") / sums_of_item(target.type) <= 256;
           },
       .depends_on = {"TILE_M", "TILE_N"}}};
}

}  // namespace

MultiplyVariant bulk_copy() {
  return {
      .kernel = {.name = "bulk_copy",
                 .summary = "for NVIDIA from Hopper on: packed panels, copied in the background",
                 .common = {"element.cl", "product.cl", "block_order.cl", "k_major.cl",
                            "bulk_copies.cl", "halves.cl", "runs.cl", "stream_k.cl"},
                 .parameters = parameters(),
                 .preferred = preferred,
                 .rules = rules(),
                 .unsupported_reason =
                     [](const Target& target) {
                       return std::string(
                           target.device().has_bulk_copies
                               ? ""
                               : "the device has no bulk copies to local memory (NVIDIA, from "
                                 "Hopper on)");
                     },
                 .options =
                     [](const Parameters&, const Target& target) {
                       return fmt::format(" -D RUN={}", run_of(target.type));
                     }},
      .enqueue = enqueue_bulk_copy};
}

}  // namespace tessera::inline v0::multiplication
