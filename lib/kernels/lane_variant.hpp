// Parts of a row that are shared by all variants based on cl/common/lanes.cl.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/variant.hpp"

namespace tessera::inline v0::kernels {

/// SHUFFLE, SUBGROUP_SIZE and SUB_GROUPS.
std::vector<Parameter> lane_parameters();
/// The device has the exchange, with that many lanes.
std::vector<Rule> lane_rules();
/// The device's preferred exchange, with several sub-groups per work-group.
Parameters preferred_lanes(const Target& target);
/// SUBGROUP_SIZE x SUB_GROUPS.
WorkGroup lane_work_group(const Parameters& parameters);
/// Bytes of local memory for `values` numbers per lane; 0 unless the exchange is local memory.
std::size_t lane_local_bytes(const Parameters& parameters, const Target& target,
                             std::size_t values);
/// Build options of the exchange.
std::string lane_build_options(const Parameters& parameters, const Target& target);

/// Why the built kernel's sub-groups are not SUBGROUP_SIZE wide, empty if they are: a compiler may
/// choose another width if it cannot be told.
std::string lane_kernel_problem(const runtime::Kernel& kernel, const cl::Device& device,
                                const Parameters& parameters);

// The same for variants that need cl_intel_subgroups with its block reads: they have no SHUFFLE.

std::vector<Parameter> intel_lane_parameters();
std::vector<Rule> intel_lane_rules();
Parameters preferred_intel_lanes(const Target& target);
std::string intel_lane_unsupported_reason(const Target& target);
std::string intel_lane_build_options(const Parameters& parameters, const Target& target);
std::string intel_lane_kernel_problem(const runtime::Kernel& kernel, const cl::Device& device,
                                      const Parameters& parameters);

}  // namespace tessera::inline v0::kernels
