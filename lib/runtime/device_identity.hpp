// Device identity: a device as another process of this machine finds it.
#pragma once

#include <string>

#include "runtime/json_reader.hpp"
#include "tessera/device.hpp"

namespace tessera::inline v0::runtime {

/// {"selector", "platform", "name", "driver"}
Json identity_of(const DeviceInfo& device);
/// The selector of that device here: the same one, or another if the order has changed. A
/// sub-device is found as the device that it is a part of. Throws DeviceError if there is none.
std::string selector_of(const Json& identity);

}  // namespace tessera::inline v0::runtime
