// The tensor_core_double variant: doubles by tensor maps, multiplied by mma.sync.
#include "multiply/tensor_core_double.hpp"

#include <fmt/format.h>

#include <string>

#include "kernels/fence_options.hpp"
#include "multiply/mapped.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// As in cl/multiply/tensor_core_double.cl.
constexpr MappedTiles kTiles = kTensorCoreDoubleTiles;
constexpr std::size_t kItems = 384, kSummers = 256, kRun = 2;

void enqueue_tensor_core_double(const Plan& plan, const Call& call, Submission& submission) {
  enqueue_mapped(plan, call, submission,
                 {.a_along_k = !call.problem.transpose_a,
                  .b_along_k = call.problem.transpose_b,
                  .tiles = kTiles,
                  .items = kItems,
                  .summers = kSummers,
                  .run = kRun});
}

std::string unsupported(const Target& target) {
  if (target.type != ElementType::float64) return "for double";
  return target.device().has_tensor_maps ? "" : "the device has no tensor maps (NVIDIA's Hopper)";
}

}  // namespace

MultiplyVariant tensor_core_double() {
  return {
      .kernel = {
          .name = "tensor_core_double",
          .summary = "for NVIDIA's Hopper: doubles on the tensor cores",
          .common = {"element.cl", "product.cl", "block_order.cl", "aligned_copies.cl",
                     "bulk_copies.cl", "tensor_maps.cl", "wgmma.cl", "halves.cl", "runs.cl",
                     "fences.cl", "stream_k.cl"},
          // With fewer, NVIDIA's compiler makes room for two work-groups: sums leave registers.
          .parameters = {{"STAGES", "stages of a depth of 16 under way", {4, 6}},
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
                    " -D TILE_K={} -D A_ALONG_K={:d} -D B_ALONG_K={:d} -D SUM=number -D RUN={} -D "
                    "CONVERT=1 -D ARRIVING={}{}",
                    kTiles.k, !target.transpose_a, target.transpose_b, kRun, kSummers,
                    kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_tensor_core_double};
}

}  // namespace tessera::inline v0::multiplication
