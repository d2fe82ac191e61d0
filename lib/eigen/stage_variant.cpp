// Rows of the eigenpair's tables by what they are made of: items, trees, lanes, atomics.
#include "eigen/stage_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/element.hpp"
#include "kernels/lane_variant.hpp"
#include "kernels/lanes.hpp"
#include "multiply/enqueue.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Target;
using kernels::Variant;

bool has_ptx(const Target& target) {
  const auto& support = kernels::lane_support(target.stream);
  return std::ranges::find(support, kernels::Exchange::nvidia_ptx,
                           &kernels::LaneSupport::exchange) != support.end();
}

/// Sums of floats in global memory by cl_ext_float_atomics.
bool has_float_atomics(const Target& target) {
  constexpr cl_device_info kSingleFpAtomics = 0x4231;
  constexpr cl_bitfield kGlobalAdd = 2;
  cl_bitfield answer = 0;
  const auto& device = target.stream.context().device();
  return device.info.has_extension("cl_ext_float_atomics") &&
         device.info.version.starts_with("OpenCL 3.") &&
         clGetDeviceInfo(device.handle(), kSingleFpAtomics, sizeof answer, &answer, nullptr) ==
             CL_SUCCESS &&
         (answer & kGlobalAdd) != 0;
}

std::size_t tree_bytes(const Parameters& parameters, const Target& target) {
  return kernels::size(parameters, "LOCAL_SIZE") * kernels::number_size(target.type);
}

std::string refuse_without_atomics(const Target& target) {
  if (auto reason = refuse_other_types(target); !reason.empty()) return reason;
  if (target.type == ElementType::float64 &&
      !target.device().has_extension("cl_khr_int64_base_atomics")) {
    return "the device has no 64-bit atomics";
  }
  return {};
}

std::string atomics_options(const Parameters&, const Target& target) {
  if (has_ptx(target)) return " -D ATOMICS=1";
  if (target.type == ElementType::float32 && has_float_atomics(target))
    return " -D ATOMICS=2 -cl-std=CL3.0";
  return " -D ATOMICS=0";
}

std::string lane_atomics_options(const Parameters& parameters, const Target& target) {
  return kernels::lane_build_options(parameters, target) + atomics_options(parameters, target);
}

}  // namespace

std::vector<ElementType> real_types() { return {ElementType::float32, ElementType::float64}; }

std::string refuse_other_types(const Target& target) {
  const bool real = target.type == ElementType::float32 || target.type == ElementType::float64;
  return real ? "" : fmt::format("there is no eigenpair of {} matrices", name(target.type));
}

kernels::Parameter group_parameter() {
  return {"LOCAL_SIZE", "work-items of a work-group", {32, 64, 128, 256, 512}};
}

Parameters preferred_group(const Target& target) {
  return {{"LOCAL_SIZE", target.device().type == DeviceType::cpu ? 64 : 256}};
}

kernels::WorkGroup group_of(const Parameters& parameters) {
  return {kernels::size(parameters, "LOCAL_SIZE"), 1};
}

std::size_t first_pass_groups(const runtime::Submission& submission, std::size_t length,
                              const kernels::WorkGroup& group) {
  const std::size_t units = submission.stream().context().device().info.compute_units;
  return std::clamp<std::size_t>(multiplication::divide_up(length, 8 * group[0]), 1, 4 * units);
}

kernels::Parameter vector_parameter() { return {"VECTOR", "numbers of a vector", {4, 8, 16}}; }

int preferred_vector(const Target& target) { return target.device().simd_width >= 16 ? 8 : 4; }

kernels::Parameter tasks_parameter() {
  return {"ITEMS_PER_CU", "work-items for each compute unit", {1, 2, 4}, true};
}

std::size_t row_tasks(const kernels::Plan& plan, const runtime::Submission& submission,
                      std::size_t blocks) {
  const std::size_t units = submission.stream().context().device().info.compute_units;
  return std::clamp<std::size_t>(units * plan.size("ITEMS_PER_CU"), 1, blocks);
}

std::vector<std::string> by_rows(const DeviceInfo& device) {
  if (device.type == DeviceType::cpu) return {"row_per_item", "row_per_group"};
  return {"row_per_group", "row_per_item"};
}

kernels::Parameter wide_parameter() {
  return {.name = "ACCUMULATOR",
          .meaning = "0 two floats, 1 double, 2 double with what sums lose",
          .candidates = {0, 1, 2},
          .is_mode = true};
}

int preferred_wide(const Target& target) { return target.device().has_double ? 1 : 0; }

kernels::Rule wide_rule() {
  return {
      "ACCUMULATOR is 1 or 2 where the device has double, and two floats are for float matrices",
      [](const Parameters& p, const Target& target) {
        return p.at("ACCUMULATOR") == 0 ? target.type == ElementType::float32
                                        : target.device().has_double;
      }};
}

Variant lane_stage(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .common = {"element.cl", "vectors.cl", "lanes.cl"},
          .parameters = kernels::lane_parameters(),
          .preferred = kernels::preferred_lanes,
          .rules = kernels::lane_rules(),
          .work_group = kernels::lane_work_group,
          .local_bytes =
              [](const Parameters& p, const Target& target) {
                return kernels::lane_local_bytes(p, target, 1) +
                       kernels::size(p, "SUB_GROUPS") * kernels::number_size(target.type);
              },
          .unsupported_reason = refuse_other_types,
          .options = kernels::lane_build_options,
          .built_kernel_problem = kernels::lane_kernel_problem};
}

Variant tree_stage(std::string name, std::string summary) {
  Variant variant = item_stage(std::move(name), std::move(summary));
  variant.common.push_back("tree.cl");
  variant.local_bytes = tree_bytes;
  return variant;
}

Variant vector_rows(std::string summary) {
  return {.name = "row_per_item",
          .summary = std::move(summary),
          .common = {"element.cl", "vectors.cl", "numbers.cl"},
          .parameters = {vector_parameter(), tasks_parameter()},
          .preferred =
              [](const Target& target) {
                return Parameters{{"VECTOR", preferred_vector(target)}, {"ITEMS_PER_CU", 2}};
              },
          .unsupported_reason = refuse_other_types};
}

Variant item_stage(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .common = {"element.cl", "vectors.cl"},
          .parameters = {group_parameter()},
          .preferred = preferred_group,
          .work_group = group_of,
          .unsupported_reason = refuse_other_types};
}

Variant with_atomics(Variant variant, bool deterministic) {
  const bool lanes = variant.common.back() == "lanes.cl";
  variant.common.push_back("atomics.cl");
  variant.unsupported_reason = refuse_without_atomics;
  variant.options = lanes ? lane_atomics_options : atomics_options;
  variant.deterministic = deterministic;
  return variant;
}

}  // namespace tessera::inline v0::eigen
