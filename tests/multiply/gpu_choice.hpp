// The kernel that a GPU prefers for a product.
#pragma once

#include <cstdint>

#include "operations.hpp"

namespace tessera::test {

/// Returns the capabilities of an H200 that decide about kernels.
inline DeviceCapabilities hopper() {
  DeviceCapabilities device;
  device.type = DeviceType::gpu;
  device.compute_units = 132;
  device.local_memory = 49152;
  device.has_device_fence = true;
  device.async_copy_memory = 224U << 10;
  device.nvidia_architecture = 90;
  device.has_wgmma = true;
  device.tensor_map_memory = 224U << 10;
  device.global_memory = std::uint64_t{139} << 30;
  device.max_allocation = device.global_memory / 4;
  return device;
}

/// Returns the first preference of a GPU.
inline kernels::Preferred first(const Problem& problem,
                                const DeviceCapabilities& device = hopper()) {
  return find_operation("multiply").preference(device, problem).front();
}

}  // namespace tessera::test
