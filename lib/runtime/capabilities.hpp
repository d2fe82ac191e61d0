// Capabilities of a context's device, probed once.
#pragma once

#include <string>

#include "runtime/context.hpp"
#include "runtime/stream.hpp"
#include "tessera/capabilities.hpp"

namespace tessera::inline v0::runtime {

/// Returns what the device of this stream's context can do. Small kernels verify most features that
/// the device's extensions suggest; a feature that fails or gives wrong values is left out.
const DeviceCapabilities& capabilities(Stream& stream);

/// Sets the capabilities, unless they are known, to those that this worker's parent has found.
void assume_capabilities(Stream& stream, DeviceCapabilities found);

/// Work-items of the largest sub-groups in which a kernel may read blocks. Intel's compiler refuses
/// 32 of them on most of its GPUs.
int max_block_read_lanes(const DeviceInfo& device);

/// Build options that a kernel with this exchange needs, with a leading space.
std::string lane_options(const DeviceInfo& device, LaneExchange exchange);

}  // namespace tessera::inline v0::runtime
