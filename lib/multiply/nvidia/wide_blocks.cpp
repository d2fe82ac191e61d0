// Variants of wide blocks, multiplied by wgmma, with operands by tensor maps, or by mma.sync.
#include "multiply/nvidia/wide_blocks.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/fence_options.hpp"
#include "multiply/nvidia/mapped.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// Must match cl/nvidia/wide_blocks.cl, warp_blocks.cl and wide_sums.cl.
constexpr std::size_t kSummers = 256, kRun = 2;

/// The operands of one variant.
struct Operands {
  ElementType type;
  bool along_k;  ///< both are contiguous along k, if need be in a copy
  CopyTile copy_tile = {};
  std::size_t slices = 1;  ///< of an integer, a byte each

  bool a_along_k(bool transposed) const { return along_k || !transposed; }
  bool b_along_k(bool transposed) const { return along_k || transposed; }
};

constexpr Operands kHalf{ElementType::float16, false};
// The square as in cl/nvidia/byte_quads.cl.
constexpr Operands kInt8{ElementType::int8, true, {64, 4}},
    kInt32{ElementType::int32, true, {64, 4}, kSlicesOfInt32};

template <const Operands& operands, bool by_wgmma>
void enqueue_wide_blocks(const Plan& plan, const Call& call, Submission& submission) {
  enqueue_mapped(plan, call, submission,
                 {.a_along_k = operands.a_along_k(is_transposed(call.problem.op_a)),
                  .b_along_k = operands.b_along_k(is_transposed(call.problem.op_b)),
                  .tiles = wide_tiles(operands.type, plan.size("TILE_N"), by_wgmma),
                  .summers = kSummers,
                  .run = kRun,
                  .copy_tile = operands.copy_tile,
                  .slices = operands.slices});
}

template <const Operands& operands>
std::size_t bytes_of_stages(const Parameters& p) {
  return kernels::size(p, "STAGES") * wide_tiles(operands.type, kernels::size(p, "TILE_N")).stage();
}

constexpr int kColumns = 256;  // preferred

template <const Operands& operands>
std::size_t preferred_stage() {
  return wide_tiles(operands.type, kColumns).stage();
}

template <const Operands& operands>
Parameters preferred(const Target& target) {
  return {{"TILE_N", kColumns},
          {"STAGES", stages_that_fit(preferred_stage<operands>(), target.device())},
          {"SWIZZLE", 16}};
}

template <const Operands& operands, bool by_wgmma = true>
MultiplyVariant wide_blocks(const std::string& variant, const std::string& summary) {
  return {
      .kernel = {
          .name = variant,
          .summary = summary,
          .types = has_16_bits(operands.type) ? types_of_16_bits()
                                              : std::vector<ProductTypes>{operands.type},
          .parameters = {{"TILE_N", "columns of C of a work-group", {64, 128, 192, 256}},
                         {"STAGES", "stages in flight", {2, 3, 4}},
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred = preferred<operands>,
          .rules = {stages_fit(bytes_of_stages<operands>, {"TILE_N", "STAGES"})},
          .work_group =
              [](const Parameters&) {
                return WorkGroup{items_of_wide_blocks(by_wgmma), 1};
              },
          .unsupported_reason =
              [](const Target& target) {
                return no_products(by_wgmma, preferred_stage<operands>(), target.device());
              },
          .options =
              [variant](const Parameters& p, const Target& target) {
                return fmt::format(
                    " -D VARIANT={} -D TILE_K={} -D WARP_M={} -D A_ALONG_K={:d} -D B_ALONG_K={:d} "
                    "-D CONTIGUOUS={} -D CONVERT=0 -D PLANES=1 -D SLICES={} -D SUM=number -D "
                    "ARRIVING={}{}{}",
                    variant, wide_tiles(operands.type, kernels::size(p, "TILE_N")).k,
                    rows_of_warp(by_wgmma), operands.a_along_k(is_transposed(target.op_a)),
                    operands.b_along_k(is_transposed(target.op_b)), kRun, operands.slices, kSummers,
                    has_16_bits(operands.type) ? "" : " -D INTEGER_SUMS",
                    kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_wide_blocks<operands, by_wgmma>};
}

}  // namespace

MultiplyVariant tensor_core_half() {
  return wide_blocks<kHalf>("tensor_core_half",
                            "for NVIDIA's Hopper: 16-bit types on the tensor cores");
}

MultiplyVariant tensor_core_int8() {
  return wide_blocks<kInt8>("tensor_core_int8",
                            "for NVIDIA's Hopper: integers of a byte on the tensor cores");
}

MultiplyVariant mma_int8() {
  return wide_blocks<kInt8, false>(
      "mma_int8", "for NVIDIA's GPUs from Ampere on: integers of a byte on the tensor cores");
}

MultiplyVariant tensor_core_int32() {
  return wide_blocks<kInt32>("tensor_core_int32",
                             "for NVIDIA's Hopper: integers as four bytes, on the tensor cores");
}

}  // namespace tessera::inline v0::multiplication
