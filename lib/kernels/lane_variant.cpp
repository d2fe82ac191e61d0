// Lane parameters, and what the device supports of them.
#include "kernels/lane_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "operands/element.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::kernels {
namespace {

LaneExchange exchange_of(const Parameters& parameters) {
  return static_cast<LaneExchange>(parameters.at("SHUFFLE"));
}

/// True if the device supports the exchange in sub-groups of `lanes` work-items.
bool has_lanes(const Target& target, LaneExchange exchange, int lanes) {
  const LaneSupport* support = target.device().find(exchange);
  return support != nullptr && std::ranges::find(support->sizes, lanes) != support->sizes.end();
}

Parameter lanes() { return {"SUBGROUP_SIZE", "work-items of a sub-group", {8, 16, 32, 64}}; }
Parameter sub_groups() { return {"SUB_GROUPS", "sub-groups of a work-group", {1, 4, 8}}; }

/// Reports a kernel whose sub-groups are not SUBGROUP_SIZE wide; empty if they are.
std::string width_problem(const runtime::Kernel& kernel, const cl::Device& device,
                          const Parameters& parameters) {
  const std::array<std::size_t, 2> group = {size(parameters, "SUBGROUP_SIZE"),
                                            size(parameters, "SUB_GROUPS")};
  std::size_t width = 0;
  const cl_int code =
      clGetKernelSubGroupInfo(kernel.handle(), device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                              sizeof group, group.data(), sizeof width, &width, nullptr);
  if (code != CL_SUCCESS || width == group[0]) return {};  // a device that cannot tell is trusted
  return fmt::format("its sub-groups came out {} wide, not {}", width, group[0]);
}

constexpr const char* kLanesRule = "SUBGROUP_SIZE is a sub-group size that the device has";

}  // namespace

std::vector<Parameter> lane_parameters() {
  return {{"SHUFFLE",
           "0 local memory, 1 cl_khr_subgroups, 2 cl_intel_subgroups, 3 NVIDIA PTX",
           {0, 1, 2, 3}},
          lanes(),
          sub_groups()};
}

std::vector<Rule> lane_rules() {
  return {{"SHUFFLE is one that the device has",
           [](const Parameters& p, const Target& target) {
             return target.device().find(exchange_of(p)) != nullptr;
           }},
          {kLanesRule, [](const Parameters& p, const Target& target) {
             return has_lanes(target, exchange_of(p), p.at("SUBGROUP_SIZE"));
           }}};
}

Parameters preferred_lanes(const Target& target) {
  // A CPU's local memory is its cache, and a load from it costs less than a sub-group function.
  const LaneExchange exchange = target.device().type == DeviceType::cpu
                                    ? LaneExchange::local_memory
                                    : target.device().lane_exchanges.front().exchange;
  return {{"SHUFFLE", static_cast<int>(exchange)},
          {"SUBGROUP_SIZE", static_cast<int>(target.device().simd_width)},
          {"SUB_GROUPS", 4}};
}

WorkGroup lane_work_group(const Parameters& parameters) {
  return {size(parameters, "SUBGROUP_SIZE"), size(parameters, "SUB_GROUPS")};
}

std::size_t lane_local_bytes(const Parameters& parameters, const Target& target,
                             std::size_t values) {
  if (exchange_of(parameters) != LaneExchange::local_memory) return 0;
  return values * size(parameters, "SUBGROUP_SIZE") * size(parameters, "SUB_GROUPS") *
         element_size(target.types.sum);
}

std::string lane_build_options(const Parameters& parameters, const Target& target) {
  return runtime::lane_options(target.device(), exchange_of(parameters));
}

std::string lane_kernel_problem(const runtime::Kernel& kernel, const cl::Device& device,
                                const Parameters& parameters) {
  const LaneExchange exchange = exchange_of(parameters);
  if (exchange != LaneExchange::khr_subgroups && exchange != LaneExchange::intel_subgroups)
    return {};
  return width_problem(kernel, device, parameters);
}

std::vector<Parameter> intel_lane_parameters() { return {lanes(), sub_groups()}; }

std::vector<Rule> intel_lane_rules() {
  return {{"SUBGROUP_SIZE is a sub-group size that the device has, at most 16 on a GPU",
           [](const Parameters& p, const Target& target) {
             const int lanes = p.at("SUBGROUP_SIZE");
             return has_lanes(target, LaneExchange::intel_subgroups, lanes) &&
                    lanes <= runtime::max_block_read_lanes(target.device());
           }}};
}

Parameters preferred_intel_lanes(const Target& target) {
  return {{"SUBGROUP_SIZE", static_cast<int>(target.device().simd_width)}, {"SUB_GROUPS", 4}};
}

std::string intel_lane_unsupported_reason(const Target& target) {
  if (target.device().find(LaneExchange::intel_subgroups) == nullptr)
    return "the device has no cl_intel_subgroups";
  if (!target.device().has_block_reads) return "the device's cl_intel_subgroups has no block reads";
  return {};
}

std::string intel_lane_build_options(const Parameters&, const Target& target) {
  constexpr auto kExchange = LaneExchange::intel_subgroups;
  return fmt::format(" -D SHUFFLE={}{}", static_cast<int>(kExchange),
                     runtime::lane_options(target.device(), kExchange));
}

std::string intel_lane_kernel_problem(const runtime::Kernel& kernel, const cl::Device& device,
                                      const Parameters& parameters) {
  return width_problem(kernel, device, parameters);
}

}  // namespace tessera::inline v0::kernels
