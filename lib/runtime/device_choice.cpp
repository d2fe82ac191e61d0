// Device choice: by place or type, then by a part of a device's name, then of a platform's.
#include "runtime/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <string>
#include <tuple>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// GPUs before accelerators before CPUs, then by estimated throughput.
auto speed(const DeviceInfo& device) {
  constexpr auto rank = [](DeviceType type) {
    return type == DeviceType::gpu           ? 3
           : type == DeviceType::accelerator ? 2
           : type == DeviceType::cpu         ? 1
                                             : 0;
  };
  return std::tuple(rank(device.type), double(device.compute_units) *
                                           std::max(device.clock_mhz, 1u) * device.simd_width);
}

/// The first of the fastest that `matches` holds of.
std::optional<std::size_t> fastest(const std::vector<DeviceInfo>& devices,
                                   const std::function<bool(const DeviceInfo&)>& matches) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < devices.size(); i++) {
    if (matches(devices[i]) && (!best || speed(devices[*best]) < speed(devices[i]))) best = i;
  }
  return best;
}

std::string names_of(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const DeviceInfo& device : devices) {
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", device.selector, device.name,
                        to_string(device.type));
  }
  return text;
}

}  // namespace

std::size_t choose_device(std::string_view selector, const std::vector<DeviceInfo>& devices,
                          std::string_view failures) {
  if (devices.empty()) {
    throw DeviceError(ErrorCode::no_device,
                      fmt::format("no OpenCL device{}",
                                  !failures.empty() ? failures
                                                    : "; install a platform, such as PoCL for CPUs "
                                                      "(Debian, Ubuntu: pocl-opencl-icd)"));
  }
  const std::string part = lower(selector);
  const auto is_meant = [&](const DeviceInfo& device) {
    return selector.empty() || selector == device.selector || part == to_string(device.type);
  };
  const auto has_part = [&](const std::string& text) {
    return lower(text).find(part) != part.npos;
  };
  auto found = fastest(devices, is_meant);
  if (!found) found = fastest(devices, [&](const auto& device) { return has_part(device.name); });
  if (!found)
    found = fastest(devices, [&](const auto& device) { return has_part(device.platform); });
  if (found) return *found;
  throw DeviceError(ErrorCode::no_device, fmt::format("no device \"{}\"; there are: {}{}", selector,
                                                      names_of(devices), failures));
}

std::size_t choose_local_device(std::size_t rank, const std::vector<DeviceInfo>& devices,
                                std::string_view failures) {
  const std::size_t first = choose_device({}, devices, failures);
  if (devices[first].type != DeviceType::gpu) return first;
  std::vector<std::size_t> equal;
  for (std::size_t i = 0; i < devices.size(); i++)
    if (speed(devices[i]) == speed(devices[first])) equal.push_back(i);
  return equal[rank % equal.size()];
}

}  // namespace tessera::inline v0::runtime
