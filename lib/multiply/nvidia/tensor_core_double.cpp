// The tensor_core_double variant: doubles by tensor maps, multiplied by mma.sync.
#include "multiply/nvidia/tensor_core_double.hpp"

#include <fmt/format.h>

#include <string>

#include "kernels/fence_options.hpp"
#include "multiply/nvidia/mapped.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// Must match cl/multiply/tensor_core_double.cl.
constexpr std::size_t kCopiers = 128, kContiguous = 2;

std::size_t bytes_of_stages(const Parameters& p) {
  return size(p, "STAGES") * 2 * size(p, "TILE") * kTensorCoreDoubleDepth * 8;
}

std::size_t summers(const Parameters& p) { return p.at("TILE") == 128 ? 256 : 128; }

void enqueue_tensor_core_double(const Plan& plan, const Call& call, Submission& submission) {
  enqueue_mapped(plan, call, submission,
                 {.a_along_k = !is_transposed(call.problem.op_a),
                  .b_along_k = is_transposed(call.problem.op_b),
                  .tiles = tensor_core_double_tiles(plan.size("TILE")),
                  .summers = summers(plan.parameters),
                  .run = kContiguous});
}

}  // namespace

MultiplyVariant tensor_core_double() {
  return {
      .kernel = {
          .name = "tensor_core_double",
          .summary = "for NVIDIA, from Hopper on: doubles on the tensor cores",
          .types = {ElementType::float64},
          // With 3 stages products by tiles of 128 took 18 times as long: NVIDIA's compiler, it
          // seems, makes room for two work-groups then.
          .parameters = {{"TILE", "edge of a work-group's tile of C", {64, 128}},
                         {"STAGES", "stages of a depth of 16 in flight", {4, 6}},
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred =
              [](const Target&) {
                return Parameters{{"TILE", 128}, {"STAGES", 4}, {"SWIZZLE", 8}};
              },
          .rules = {stages_fit(bytes_of_stages, {"TILE", "STAGES"})},
          .work_group =
              [](const Parameters& p) {
                return WorkGroup{summers(p) + kCopiers, 1};
              },
          .unsupported_reason = no_tensor_maps,
          .options =
              [](const Parameters& p, const Target& target) {
                return fmt::format(
                    " -D TILE_K={} -D A_ALONG_K={:d} -D B_ALONG_K={:d} -D SUM=number -D "
                    "CONTIGUOUS={} -D "
                    "CONVERT=1 -D ARRIVING={}{}",
                    kTensorCoreDoubleDepth, !is_transposed(target.op_a), is_transposed(target.op_b),
                    kContiguous, summers(p), kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_tensor_core_double};
}

}  // namespace tessera::inline v0::multiplication
