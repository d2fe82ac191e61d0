// Listing the devices of this machine, and choosing one of them.
#include "runtime/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <tuple>

#include "runtime/log.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/process.hpp"

namespace tessera::inline v0 {

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> infos;
  for (auto& device : runtime::list_devices()) infos.push_back(std::move(device.info));
  return infos;
}

namespace runtime {
namespace {

constexpr cl_int kNoPlatform = -1001;  // from the ICD loader

std::vector<cl::Platform> platforms() {
  check_process();
  std::vector<cl::Platform> found;
  try {
    cl::Platform::get(&found);
  } catch (const cl::Error& error) {
    if (error.err() != kNoPlatform) throw;
  }
  return found;
}

std::vector<cl::Device> devices_of(const cl::Platform& platform) {
  std::vector<cl::Device> found;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
  } catch (const cl::Error& error) {
    if (error.err() != CL_DEVICE_NOT_FOUND) throw;
  }
  return found;
}

struct Listing {
  std::vector<Device> devices;
  std::string
      failures;  // of platforms and devices that do not respond: the others are still usable
};

Listing list() {
  // One thread at a time: while PoCL 3.1 prepares itself for one, it has no devices for others.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  Listing result;
  const auto tolerating = [&](const std::string& what, auto&& ask) {
    try {
      with_opencl_errors(ask, [&] { return what; });
    } catch (const OpenClError& error) {
      result.failures += fmt::format("; {}", error.what());
      log(error.what());
    }
  };
  const auto all =
      with_opencl_errors(platforms, [] { return std::string("listing the platforms"); });
  for (std::size_t p = 0; p < all.size(); p++) {
    std::vector<cl::Device> members;
    tolerating(fmt::format("platform {}", p), [&] { members = devices_of(all[p]); });
    for (std::size_t d = 0; d < members.size(); d++) {
      const auto selector = fmt::format("{}:{}", p, d);
      tolerating("device " + selector,
                 [&] { result.devices.push_back(describe(members[d], selector)); });
    }
  }
  return result;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// GPUs before accelerators before CPUs, then by estimated throughput.
auto speed(const Device& device) {
  constexpr auto rank = [](DeviceType type) {
    return type == DeviceType::gpu           ? 3
           : type == DeviceType::accelerator ? 2
           : type == DeviceType::cpu         ? 1
                                             : 0;
  };
  const DeviceInfo& info = device.info;
  return std::tuple(rank(info.type),
                    double(info.compute_units) * std::max(info.clock_mhz, 1u) * info.simd_width);
}

bool selects(std::string_view selector, const DeviceInfo& info) {
  return selector.empty() || selector == info.selector || selector == name(info.type);
}

bool part_of(const std::string& selector, const std::string& text) {
  return lower(text).find(lower(selector)) != std::string::npos;
}

std::string names_of(const std::vector<Device>& devices) {
  std::string text;
  for (const Device& device : devices) {
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", device.info.selector,
                        device.info.name, name(device.info.type));
  }
  return text;
}

}  // namespace

bool keeps_programs(const DeviceInfo& device) {
  return device.platform == "Portable Computing Language";
}

bool waits_awake(const DeviceInfo& device) {
  const bool waiting_helps =
      device.type == DeviceType::cpu && device.platform.starts_with("Intel(R)");
  return !waiting_helps && !device.platform.starts_with("NVIDIA");
}

std::vector<Device> list_devices() {
  return with_opencl_errors([] { return list().devices; },
                            [] { return std::string("listing the devices"); });
}

Device select_device(std::string_view selector) {
  auto [all, failures] = list();
  if (all.empty()) {
    throw DeviceError("no OpenCL device: no platform is installed, or none has a device" +
                      failures);
  }
  // Exact matches first, then a part of a device's name, then of a platform's.
  const auto matching = [&](auto matches) {
    std::vector<Device> found;
    std::ranges::copy_if(all, std::back_inserter(found), matches);
    return found;
  };
  const std::string text(selector);
  auto found = matching([&](const Device& device) { return selects(selector, device.info); });
  if (found.empty())
    found = matching([&](const Device& device) { return part_of(text, device.info.name); });
  if (found.empty())
    found = matching([&](const Device& device) { return part_of(text, device.info.platform); });
  if (found.empty())
    throw DeviceError(
        fmt::format("no device \"{}\"; there are: {}{}", text, names_of(all), failures));
  return *std::ranges::max_element(found, {}, speed);
}

}  // namespace runtime
}  // namespace tessera::inline v0
