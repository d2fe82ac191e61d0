// Device choice: which of the listed devices a selector names.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tessera/device.hpp"

namespace tessera::inline v0::runtime {

/// The index of the device that `selector` names (engine.hpp), the fastest if several match. Throws
/// DeviceError, which lists the devices and reports `failures`: platforms without devices, and
/// platforms and devices that did not respond.
std::size_t choose_device(std::string_view selector, const std::vector<DeviceInfo>& devices,
                          std::string_view failures = {});

/// The index of the device of the process that is number `rank` on its machine: the GPUs that are
/// as fast as the fastest one in turn. The fastest device if there is no GPU.
std::size_t choose_local_device(std::size_t rank, const std::vector<DeviceInfo>& devices,
                                std::string_view failures = {});

}  // namespace tessera::inline v0::runtime
