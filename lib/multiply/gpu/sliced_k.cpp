// The sliced_k variant: the work-items of a group split k, and work-groups do, too, if C is small.
#include "multiply/gpu/sliced_k.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "multiply/gpu/sliced_blocks.hpp"
#include "multiply/product_types.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Rule;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

/// A work-item with 8 rows fetches a few pieces at a time between its steps: on an H200 that took 5
/// to 25 % off; with 4 rows it added up to 10 %.
SlicedKernel kernel_of(const Parameters& p) {
  constexpr std::size_t kQuad = 4, kShallow = 16;
  const std::size_t items_m = size(p, "TILE_M") / size(p, "WORK_M"),
                    items_n = size(p, "TILE_N") / size(p, "WORK_N"),
                    slice = size(p, "TILE_K") / size(p, "SLICES");
  return {.items_of_slice = items_m * items_n,
          .rows_of_band = kQuad * items_m,
          .steps_at_once = size(p, "WORK_M") > kQuad && slice <= kShallow ? kQuad : slice};
}

std::vector<kernels::Parameter> parameters() {
  auto all = sliced_parameters({16, 32, 64, 128});
  all.push_back({"WORK_M", "rows of C of a work-item", {4, 8}});
  all.push_back({"WORK_N", "columns of C of a work-item", {4, 8}});
  return all;
}

bool copies_by_itself(const Target& target) {
  return sliced_k_copies_by_itself(target.device(), target.types.a);
}

Parameters preferred(const Target& target) {
  // A CPU's compilers take long over large tiles.
  const bool is_cpu = target.device().type == DeviceType::cpu;
  const int edge = is_cpu ? 16 : 32;
  const SlicedTiles tiles;
  return {{"TILE_M", edge},
          {"TILE_N", edge},
          {"WORK_M", 4},
          {"WORK_N", 4},
          {"TILE_K", edge},
          {"STAGES", copies_by_itself(target) ? 3 : 2},
          {"SLICES", is_cpu ? 2 : 4},
          {"GROUPS_PER_CU", static_cast<int>(tiles.groups_per_cu)},
          {"MIN_DEPTH", static_cast<int>(tiles.min_depth)}};
}

std::vector<Rule> rules() {
  auto all = sliced_rules(kernel_of, {"WORK_M", "WORK_N"});
  all.push_back(
      {.text =
           "a tile is at most 32 x 32 x 32 on a CPU, whose compilers take minutes over larger ones",
       .holds =
           [](const Parameters& p, const Target& target) {
             return target.device().type != DeviceType::cpu ||
                    std::max({p.at("TILE_M"), p.at("TILE_N"), p.at("TILE_K")}) <= 32;
           },
       .depends_on = {"TILE_M", "TILE_N", "TILE_K"}});
  all.push_back({.text = "STAGES is 2 where copies are not asynchronous",
                 .holds =
                     [](const Parameters& p, const Target& target) {
                       return copies_by_itself(target) || p.at("STAGES") == 2;
                     },
                 .depends_on = {"STAGES"}});
  all.push_back({.text = "a slice of a tile is at least 4 deep",
                 .holds = [](const Parameters& p,
                             const Target&) { return p.at("TILE_K") >= 4 * p.at("SLICES"); },
                 .depends_on = {"TILE_K", "SLICES"}});
  return all;
}

}  // namespace

MultiplyVariant sliced_k() {
  return {.kernel = {.name = "sliced_k",
                     .summary = "for GPUs, where C is small: work-items of a group and work-groups "
                                "split k",
                     .types = types_but_int8(),
                     .parameters = parameters(),
                     .preferred = preferred,
                     .rules = rules(),
                     .work_group =
                         [](const Parameters& p) {
                           return WorkGroup{size(p, "SLICES") * kernel_of(p).items_of_slice, 1};
                         },
                     .local_bytes =
                         [](const Parameters& p, const Target& target) {
                           return sliced_tiles(p).numbers() * element_size(target.types.sum);
                         },
                     .options =
                         [](const Parameters& p, const Target& target) {
                           return fmt::format("{} -D ASYNC={:d}",
                                              sliced_options("sliced_k", kernel_of(p), p, target),
                                              copies_by_itself(target));
                         }},
          .enqueue = enqueue_sliced};
}

bool sliced_k_copies_by_itself(const DeviceCapabilities& device, ElementType type) {
  return device.async_copy_memory > 0 && !has_16_bits(type);
}

}  // namespace tessera::inline v0::multiplication
