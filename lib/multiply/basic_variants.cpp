// Basic variants: from one work-item per element through local memory to sub-group blocks.
#include "multiply/basic_variants.hpp"

#include "kernels/lane_variant.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/product_types.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Parameter;
using kernels::Plan;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

bool is_cpu(const Target& target) { return target.device().type == DeviceType::cpu; }

// Kernels that accept any work-group size.
std::vector<Parameter> any_group() {
  return {{"GROUP_COLUMNS", "work-items of a work-group along a row of C", {8, 16, 32, 64}, true},
          {"GROUP_ROWS", "work-items of a work-group along a column of C", {1, 4, 8, 16}, true}};
}
WorkGroup group_of_any(const Parameters& p) {
  return {size(p, "GROUP_COLUMNS"), size(p, "GROUP_ROWS")};
}

// Square tiles of A and B in local memory.
Parameter tile(bool at_launch) {
  return {"TILE", "edge of a tile and of the work-group", {4, 8, 16, 32}, at_launch};
}
Parameters preferred_tile(const Target&) { return {{"TILE", 16}}; }
WorkGroup tile_group(const Parameters& p) { return {size(p, "TILE"), size(p, "TILE")}; }
std::size_t tile_bytes(const Parameters& p, const Target& target) {
  return 2 * size(p, "TILE") * size(p, "TILE") * element_size(target.types.sum);
}

// Kernels in which each sub-group owns a block of C.
std::vector<Parameter> with_block(std::vector<Parameter> parameters) {
  parameters.push_back({"MR", "rows of C of a sub-group", {4, 8}});
  parameters.push_back({"NR", "columns of C of a lane", {1, 2}});
  return parameters;
}

Parameters with_preferred_block(Parameters parameters, const Target& target) {
  parameters.merge(Parameters{{"MR", 8}, {"NR", is_cpu(target) ? 1 : 2}});
  return parameters;
}

MultiplyVariant naive() {
  return {.kernel = {.name = "naive",
                     .summary = "one work-item for each element of C, all from global memory",
                     .parameters = any_group(),
                     .preferred =
                         [](const Target&) {
                           return Parameters{{"GROUP_COLUMNS", 32}, {"GROUP_ROWS", 8}};
                         },
                     .work_group = group_of_any},
          .enqueue = [](const Plan& plan, const Call& call, Submission& submission) {
            enqueue_blocks(plan, call, submission,
                           {plan.size("GROUP_ROWS"), plan.size("GROUP_COLUMNS")});
          }};
}

MultiplyVariant row_tile() {
  return {
      .kernel = {.name = "row_tile",
                 .summary = "part of a row of A in local memory, a work-group along a row of C",
                 .types = real_types(),
                 .parameters = {{"TILE_N",
                                 "columns of C of a work-group, and elements of A in local memory",
                                 {4, 8, 16, 32, 64, 128, 256}}},
                 .preferred =
                     [](const Target& target) {
                       return Parameters{
                           {"TILE_N",
                            is_cpu(target) ? 64 : static_cast<int>(target.device().simd_width)}};
                     },
                 .work_group =
                     [](const Parameters& p) {
                       return WorkGroup{size(p, "TILE_N"), 1};
                     },
                 .local_bytes =
                     [](const Parameters& p, const Target& target) {
                       return size(p, "TILE_N") * element_size(target.types.sum);
                     }},
      .enqueue = [](const Plan& plan, const Call& call, Submission& submission) {
        enqueue_blocks(plan, call, submission, {1, plan.size("TILE_N")});
      }};
}

MultiplyVariant tiled_static() {
  return {.kernel = {.name = "tiled_static",
                     .summary = "square tiles in local memory, their size known to the compiler",
                     .parameters = {tile(false)},
                     .preferred = preferred_tile,
                     .work_group = tile_group,
                     .local_bytes = tile_bytes},
          .enqueue = [](const Plan& plan, const Call& call, Submission& submission) {
            enqueue_blocks(plan, call, submission, {plan.size("TILE"), plan.size("TILE")});
          }};
}

MultiplyVariant tiled_dynamic() {
  return {.kernel = {.name = "tiled_dynamic",
                     .summary = "square tiles in local memory that is sized at the launch",
                     .parameters = {tile(true)},
                     .preferred = preferred_tile,
                     .work_group = tile_group,
                     .local_bytes = tile_bytes},
          .enqueue = [](const Plan& plan, const Call& call, Submission& submission) {
            const std::size_t edge = plan.size("TILE");
            const runtime::LocalMemory tile{edge * edge * call.number_size()};
            enqueue_blocks(plan, call, submission, {edge, edge}, tile, tile);
          }};
}

MultiplyVariant image() {
  return {.kernel = {.name = "image",
                     .summary = "A and B as images, 16 bytes a pixel",
                     .types = types_but_int8(),
                     .parameters = any_group(),
                     .preferred =
                         [](const Target&) {
                           return Parameters{{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", 8}};
                         },
                     .work_group = group_of_any,
                     .unsupported_reason =
                         [](const Target& target) {
                           return target.device().has_images ? "" : "the device has no images";
                         }},
          .enqueue = enqueue_image};
}

MultiplyVariant subgroup_broadcast() {
  return {.kernel = {.name = "subgroup_broadcast",
                     .summary = "one element of A a lane, broadcast to all lanes",
                     .types = types_but_int8(),
                     .parameters = kernels::lane_parameters(),
                     .preferred = kernels::preferred_lanes,
                     .rules = kernels::lane_rules(),
                     .work_group = kernels::lane_work_group,
                     .local_bytes =
                         [](const Parameters& p, const Target& target) {
                           return kernels::lane_local_bytes(p, target, 1);
                         },
                     .options = kernels::lane_build_options,
                     .built_kernel_problem = kernels::lane_kernel_problem},
          .enqueue = [](const Plan& plan, const Call& call, Submission& submission) {
            enqueue_blocks(plan, call, submission,
                           {plan.size("SUB_GROUPS"), plan.size("SUBGROUP_SIZE")});
          }};
}

MultiplyVariant subgroup_block() {
  return {.kernel = {.name = "subgroup_block",
                     .summary = "a sub-group owns a block of C, its lanes share blocks of A",
                     .types = types_but_int8(),
                     .parameters = with_block(kernels::lane_parameters()),
                     .preferred =
                         [](const Target& target) {
                           return with_preferred_block(kernels::preferred_lanes(target), target);
                         },
                     .rules = kernels::lane_rules(),
                     .work_group = kernels::lane_work_group,
                     .local_bytes =
                         [](const Parameters& p, const Target& target) {
                           return kernels::lane_local_bytes(p, target, size(p, "MR"));
                         },
                     .options = kernels::lane_build_options,
                     .built_kernel_problem = kernels::lane_kernel_problem},
          .enqueue = [](const Plan& plan, const Call& call, Submission& submission) {
            enqueue_blocks(plan, call, submission,
                           {plan.size("SUB_GROUPS") * plan.size("MR"),
                            plan.size("SUBGROUP_SIZE") * plan.size("NR")});
          }};
}

MultiplyVariant intel_subgroup_block() {
  return {
      .kernel = {.name = "intel_subgroup_block",
                 .summary =
                     "a sub-group owns a block of C, A and B by block reads of cl_intel_subgroups",
                 .types = types_but_int8(),
                 .parameters = with_block(kernels::intel_lane_parameters()),
                 .preferred =
                     [](const Target& target) {
                       return with_preferred_block(kernels::preferred_intel_lanes(target), target);
                     },
                 .rules = kernels::intel_lane_rules(),
                 .work_group = kernels::lane_work_group,
                 .unsupported_reason = kernels::intel_lane_unsupported_reason,
                 .options = kernels::intel_lane_build_options,
                 .built_kernel_problem = kernels::intel_lane_kernel_problem},
      .enqueue = enqueue_intel_subgroup_block};
}

}  // namespace

std::vector<MultiplyVariant> basic_variants() {
  return {naive(), row_tile(),           tiled_static(),   tiled_dynamic(),
          image(), subgroup_broadcast(), subgroup_block(), intel_subgroup_block()};
}

}  // namespace tessera::inline v0::multiplication
