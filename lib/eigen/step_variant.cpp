// Building blocks for rows of the eigenpair's tables: items, trees, lanes, atomics.
#include "eigen/step_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "eigen/device_state.hpp"
#include "kernels/fence_options.hpp"
#include "kernels/lane_variant.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Target;
using kernels::Variant;

/// The smallest work-group that is tried where the device has a choice.
constexpr int kSmallGroup = 32;

std::size_t tree_bytes(const Parameters& parameters, const Target& target) {
  return kernels::size(parameters, "LOCAL_SIZE") * element_size(target.types.sum);
}

std::string refuse_without_atomics(const Target& target) {
  if (target.types.a == ElementType::float64 &&
      !target.device().has_extension("cl_khr_int64_base_atomics")) {
    return "the device has no 64-bit atomics";
  }
  return {};
}

std::string atomics_options(const Target& target) {
  if (target.device().find(LaneExchange::nvidia_ptx) != nullptr) return " -D ATOMICS=1";
  if (target.types.a == ElementType::float32 && target.device().has_float_atomics)
    return " -D ATOMICS=2 -cl-std=CL3.0";
  return " -D ATOMICS=0";
}

}  // namespace

std::vector<ProductTypes> real_types() { return {ElementType::float32, ElementType::float64}; }

kernels::Parameter group_parameter() {
  return {"LOCAL_SIZE", "work-items of a work-group", {1, 8, kSmallGroup, 64, 128, 256, 512}};
}

kernels::Rule group_rule() {
  return {.text = fmt::format("LOCAL_SIZE is below {} where the device allows no more alone",
                              kSmallGroup),
          .holds =
              [](const Parameters& p, const Target& target) {
                return p.at("LOCAL_SIZE") >= kSmallGroup || target.max_work_group < kSmallGroup;
              },
          .depends_on = {"LOCAL_SIZE"}};
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
  return std::clamp<std::size_t>(operands::divide_up(length, 8 * group[0]), 1, 4 * units);
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

kernels::Preference by_rows(const DeviceCapabilities& device, const Problem&) {
  if (device.type == DeviceType::cpu) return {"row_per_item", "row_per_group"};
  return {"row_per_group", "row_per_item"};
}

std::string mode_options(const Parameters&, const Target& target) {
  // The values of ACCUMULATOR in kernels.
  const int accumulator = target.mode.accumulator == Accumulator::two_floats    ? 0
                          : target.mode.accumulator == Accumulator::compensated ? 2
                                                                                : 1;
  return fmt::format(" -D ACCUMULATOR={} -D VALIDATE={} -D KEPT={}", accumulator,
                     target.mode.validate ? 1 : 0, kLongBatch);
}

std::string round_options(const Parameters& parameters, const Target& target) {
  // Far below the exponents that an accumulator has: 8 bits of a float, 11 of a double.
  const int far = target.mode.accumulator == Accumulator::two_floats ? 16 : 64;
  return fmt::format("{} -D FAR={}{}", mode_options(parameters, target), far,
                     kernels::fence_options(target.device()));
}

std::string refuse_accumulator(const Target& target) {
  const DeviceCapabilities& device = target.device();
  if (target.mode.accumulator == Accumulator::two_floats) {
    if (target.types.a != ElementType::float32) return "two floats are for float matrices";
    return device.has_exact_floats
               ? ""
               : "no proof is possible: fma, sums or quotients of floats are not exact here";
  }
  if (!device.has_double) return "the device has no double";
  if (!device.has_exact_doubles)
    return "no proof is possible: fma or quotients of doubles are not exact here";
  if (target.mode.accumulator == Accumulator::compensated && !device.has_exact_double_sums)
    return "no proof is possible: the errors of double sums are not exact here";
  return "";
}

Variant lane_step(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .parameters = kernels::lane_parameters(),
          .preferred = kernels::preferred_lanes,
          .rules = kernels::lane_rules(),
          .work_group = kernels::lane_work_group,
          .local_bytes =
              [](const Parameters& p, const Target& target) {
                return kernels::lane_local_bytes(p, target, 1) +
                       kernels::size(p, "SUB_GROUPS") * element_size(target.types.sum);
              },
          .options = kernels::lane_build_options,
          .built_kernel_problem = kernels::lane_kernel_problem};
}

Variant tree_step(std::string name, std::string summary) {
  Variant variant = item_step(std::move(name), std::move(summary));
  variant.local_bytes = tree_bytes;
  return variant;
}

Variant vector_rows(std::string summary) {
  return {.name = "row_per_item",
          .summary = std::move(summary),
          .parameters = {vector_parameter(), tasks_parameter()},
          .preferred =
              [](const Target& target) {
                return Parameters{{"VECTOR", preferred_vector(target)}, {"ITEMS_PER_CU", 2}};
              },
          .for_cpus = true};
}

Variant item_step(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .parameters = {group_parameter()},
          .preferred = preferred_group,
          .rules = {group_rule()},
          .work_group = group_of};
}

Variant with_atomics(Variant variant, bool deterministic) {
  variant.unsupported_reason = refuse_without_atomics;
  variant.options = [own = std::move(variant.options)](const Parameters& parameters,
                                                       const Target& target) {
    return own(parameters, target) + atomics_options(target);
  };
  variant.deterministic = deterministic;
  return variant;
}

}  // namespace tessera::inline v0::eigen
