// Finds a device by properties that do not change between processes.
#include "runtime/device_identity.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

Json identity_of(const DeviceInfo& device) {
  return {{"selector", device.selector},
          {"platform", device.platform},
          {"name", device.name},
          {"driver", device.driver}};
}

std::string selector_of(const Json& identity) {
  const auto text = [&](const char* key) { return identity.at(key).get<std::string>(); };
  std::string found;
  for (const DeviceInfo& device : devices()) {
    if (device.name != text("name") || device.platform != text("platform") ||
        device.driver != text("driver"))
      continue;
    if (found.empty() || device.selector == text("selector")) found = device.selector;
  }
  if (found.empty())
    throw DeviceError(ErrorCode::no_device, fmt::format("no device {}", text("name")));
  return found;
}

}  // namespace tessera::inline v0::runtime
