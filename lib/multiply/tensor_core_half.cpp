// The tensor_core_half variant: halves by tensor maps, multiplied by wgmma.
#include "multiply/tensor_core_half.hpp"

#include <fmt/format.h>

#include <string>

#include "kernels/fence_options.hpp"
#include "multiply/mapped.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// As in cl/multiply/tensor_core_half.cl.
constexpr MappedTiles kTiles = kTensorCoreHalfTiles;
constexpr std::size_t kItems = 384, kSummers = 256, kRun = 2;

void enqueue_tensor_core_half(const Plan& plan, const Call& call, Submission& submission) {
  enqueue_mapped(plan, call, submission,
                 {.a_along_k = !call.problem.transpose_a,
                  .b_along_k = call.problem.transpose_b,
                  .tiles = kTiles,
                  .items = kItems,
                  .summers = kSummers,
                  .run = kRun});
}

std::string unsupported(const Target& target) {
  if (target.type != ElementType::float16) return "for half";
  return target.device().has_wgmma ? "" : "the device has no wgmma (NVIDIA's Hopper)";
}

}  // namespace

MultiplyVariant tensor_core_half() {
  return {
      .kernel = {
          .name = "tensor_core_half",
          .summary = "for NVIDIA's Hopper: halves on the tensor cores",
          .common = {"element.cl", "product.cl", "block_order.cl", "aligned_copies.cl",
                     "bulk_copies.cl", "tensor_maps.cl", "wgmma.cl", "halves.cl", "runs.cl",
                     "fences.cl", "stream_k.cl"},
          .parameters = {{"STAGES", "stages under way", {2, 3, 4}},
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred =
              [](const Target&) {
                return Parameters{{"STAGES", 4}, {"SWIZZLE", 8}};
              },
          .work_group =
              [](const Parameters&) {
                return WorkGroup{kItems, 1};
              },
          .unsupported_reason = unsupported,
          .options =
              [](const Parameters&, const Target& target) {
                return fmt::format(
                    " -D TILE_K={} -D A_ALONG_K={:d} -D B_ALONG_K={:d} -D RUN={} -D CONVERT=0 -D "
                    "ARRIVING={}{}",
                    kTiles.k, !target.transpose_a, target.transpose_b, kRun, kSummers,
                    kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_tensor_core_half};
}

}  // namespace tessera::inline v0::multiplication
