// Build options of kernels whose work-groups build on one another.
#pragma once

#include <string>

#include "tessera/capabilities.hpp"

namespace tessera::inline v0::kernels {

/// DEVICE_FENCE, as in cl/common/fences.cl, and the OpenCL C that has such a fence.
std::string fence_options(const DeviceCapabilities& device);

}  // namespace tessera::inline v0::kernels
