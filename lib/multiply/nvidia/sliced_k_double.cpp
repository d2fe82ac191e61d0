// The sliced_k_double variant: doubles of small or unaligned products on the tensor cores.
#include "multiply/nvidia/sliced_k_double.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "multiply/gpu/sliced_blocks.hpp"
#include "multiply/nvidia/mapped.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Rule;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

/// Lanes read groups of 8 rows, or columns, at 4 depths, which the padding puts into other banks.
SlicedKernel kernel_of(const Parameters& p) {
  constexpr std::size_t kWarp = 32, kGroup = 8, kPad = 4;
  const std::size_t warps_m = size(p, "TILE_M") / size(p, "WARP_M"),
                    warps_n = size(p, "TILE_N") / size(p, "WARP_N");
  return {.items_of_slice = kWarp * warps_m * warps_n,
          .rows_of_band = kGroup * warps_m,
          .steps_at_once = size(p, "TILE_K") / size(p, "SLICES"),
          .pad_across = kPad};
}

std::vector<kernels::Parameter> parameters() {
  auto all = sliced_parameters({16, 32, 64, 128});
  all.push_back({"WARP_M", "rows of C of a warp", {16, 32}});
  all.push_back({"WARP_N", "columns of C of a warp", {16, 32}});
  return all;
}

std::size_t bytes_of_stages(const Parameters& p) {
  return sliced_tiles(p).numbers() * sizeof(double);
}

Parameters preferred(const Target&) {
  return {{"TILE_M", 32}, {"TILE_N", 32}, {"WARP_M", 32},       {"WARP_N", 32},    {"TILE_K", 32},
          {"STAGES", 2},  {"SLICES", 4},  {"GROUPS_PER_CU", 4}, {"MIN_DEPTH", 128}};
}

std::vector<Rule> rules() {
  auto all = sliced_rules(kernel_of, {"WARP_M", "WARP_N"});
  all.push_back({.text = "WARP_M and WARP_N are at most TILE_M and TILE_N",
                 .holds =
                     [](const Parameters& p, const Target&) {
                       return p.at("WARP_M") <= p.at("TILE_M") && p.at("WARP_N") <= p.at("TILE_N");
                     },
                 .depends_on = {"TILE_M", "TILE_N", "WARP_M", "WARP_N"}});
  all.push_back({.text = "a slice of a tile is at least 8 deep",
                 .holds = [](const Parameters& p,
                             const Target&) { return p.at("TILE_K") >= 8 * p.at("SLICES"); },
                 .depends_on = {"TILE_K", "SLICES"}});
  all.push_back(stages_fit(bytes_of_stages, {"TILE_M", "TILE_N", "TILE_K", "STAGES"}));
  return all;
}

}  // namespace

MultiplyVariant sliced_k_double() {
  return {.kernel = {
              .name = "sliced_k_double",
              .summary = "for NVIDIA's GPUs from Ampere on: small or unaligned products of "
                         "doubles on the tensor cores",
              .types = {ElementType::float64},
              .parameters = parameters(),
              .preferred = preferred,
              .rules = rules(),
              .work_group =
                  [](const Parameters& p) {
                    return WorkGroup{size(p, "SLICES") * kernel_of(p).items_of_slice, 1};
                  },
              .unsupported_reason = [](const Target& target) -> std::string {
                return target.device().async_copy_memory > 0
                           ? ""
                           : "the device has no tensor cores of doubles (NVIDIA, from Ampere "
                             "on)";
              },
              .options =
                  [](const Parameters& p, const Target& target) {
                    return fmt::format("{} -D ASYNC=1 -D MMA_K={}",
                                       sliced_options("sliced_k_double", kernel_of(p), p, target),
                                       target.device().tensor_map_memory > 0 ? 8 : 4);
                  }},
          .enqueue = enqueue_sliced};
}

}  // namespace tessera::inline v0::multiplication
