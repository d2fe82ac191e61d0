// Lanes: by what the work-items of a sub-group exchange values on a device (cl/common/lanes.cl).
#pragma once

#include <string_view>
#include <vector>

#include "runtime/context.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::kernels {

/// The back ends of cl/common/lanes.cl, with the numbers that SHUFFLE has there.
enum class Exchange { local_memory = 0, khr_subgroups = 1, intel_subgroups = 2, nvidia_ptx = 3 };

std::string_view name(Exchange exchange);

/// A back end that was seen to work, with the sub-group sizes that it can have.
struct LaneSupport {
  Exchange exchange;
  std::vector<int> sizes;  // ascending
};

/// What this device has, the one to prefer first; local memory is always there. A back end that the
/// device's extensions suggest is built and run once; one that does not give the right values is
/// left out.
const std::vector<LaneSupport>& lane_support(runtime::Stream& stream);

/// Does cl_intel_subgroups read blocks here? Some runtimes list it without. Found out once.
bool has_intel_block_reads(runtime::Stream& stream);

/// Build options that a kernel with this back end needs, with a space before.
std::string lane_options(const runtime::Device& device, Exchange exchange);

}  // namespace tessera::inline v0::kernels
