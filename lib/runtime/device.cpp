// Listing the devices of this machine.
#include "runtime/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include "runtime/device_choice.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/opencl_loader.hpp"
#include "runtime/process.hpp"
#include "runtime/process_lock.hpp"

namespace tessera::inline v0 {

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> infos;
  for (auto& device : runtime::list_devices()) infos.push_back(std::move(device.info));
  return infos;
}

namespace runtime {
namespace {

constexpr std::string_view kPocl = "Portable Computing Language";
constexpr cl_int kNoPlatform = -1001;  // from the ICD loader

/// Lists the loader's platforms, then the platforms of $TESSERA_DRIVERS.
std::vector<cl::Platform> platforms(std::string& failures) {
  check_process();
  std::vector<cl::Platform> found;
  try {
    cl::Platform::get(&found);
  } catch (const cl::Error& error) {
    if (error.err() != kNoPlatform) throw;
  }
  std::string drivers_failures;
  for (const cl::Platform& platform : platforms_of_drivers(drivers_failures)) {
    const auto is_same = [&](const cl::Platform& other) { return other() == platform(); };
    if (std::ranges::none_of(found, is_same)) found.push_back(platform);
  }
  if (!drivers_failures.empty()) log(drivers_failures.substr(2));
  failures += drivers_failures;
  if (found.empty() && !has_opencl_loader())
    failures +=
        "; no OpenCL loader: install libOpenCL.so.1 (Debian, Ubuntu: ocl-icd-libopencl1) "
        "and a platform, or name drivers in TESSERA_DRIVERS";
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
  /// Messages about platforms without devices, and about platforms and devices that do not respond.
  /// The others are still usable.
  std::string failures;
};

/// PoCL has no device, and does not say why, if it cannot write its cache.
std::string without_devices(const cl::Platform& platform) {
  const auto name = platform.getInfo<CL_PLATFORM_NAME>();
  return fmt::format("; {} has no device{}", name,
                     name != kPocl ? ""
                                   : ": set POCL_CACHE_DIR, XDG_CACHE_HOME or HOME to a folder "
                                     "that it can write its cache to");
}

Listing list() {
  // One thread at a time: while PoCL 3.1 prepares itself for one, it has no devices for others, and
  // it crashes if another copy of the library asks.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const ProcessLock across_copies;
  Listing result;
  const auto tolerating = [&](const std::string& what, auto&& ask) {
    try {
      with_opencl_errors(ask, [&] { return what; });
    } catch (const OpenClError& error) {
      result.failures += fmt::format("; {}", error.what());
      log(error.what());
    }
  };
  const auto all = with_opencl_errors([&] { return platforms(result.failures); },
                                      [] { return std::string("listing the platforms"); });
  for (std::size_t p = 0; p < all.size(); p++) {
    std::vector<cl::Device> members;
    tolerating(fmt::format("platform {}", p), [&] {
      members = devices_of(all[p]);
      if (members.empty()) result.failures += without_devices(all[p]);
    });
    for (std::size_t d = 0; d < members.size(); d++) {
      const auto selector = fmt::format("{}:{}", p, d);
      tolerating("device " + selector,
                 [&] { result.devices.push_back(describe(members[d], selector)); });
    }
  }
  return result;
}

/// The number of this process on its machine, from Open MPI, Intel MPI, MPICH or Slurm.
std::size_t local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    const std::string rank = environment(name);
    if (!rank.empty()) return std::strtoull(rank.c_str(), nullptr, 10);
  }
  return 0;
}

}  // namespace

bool is_pocl(const DeviceInfo& device) { return device.platform == kPocl; }

bool keeps_programs(const DeviceInfo& device) { return is_pocl(device); }

bool runs_in_caller(const DeviceInfo& device) {
  return is_pocl(device) && device.name.starts_with("basic");
}

bool user_events_linger(const DeviceInfo& device) { return device.platform.starts_with("NVIDIA"); }

bool waits_awake(const DeviceInfo& device) {
  const bool waiting_helps =
      device.type == DeviceType::cpu && device.platform.starts_with("Intel(R)");
  return !waiting_helps && !device.platform.starts_with("NVIDIA");
}

bool fails_as_a_whole(const DeviceInfo& device) { return device.platform.starts_with("NVIDIA"); }

std::vector<Device> list_devices() {
  return with_opencl_errors([] { return list().devices; },
                            [] { return std::string("listing the devices"); });
}

Device select_device(std::string_view selector) {
  auto [all, failures] = list();
  std::vector<DeviceInfo> infos;
  for (const Device& device : all) infos.push_back(device.info);
  const std::size_t index = selector == "local" ? choose_local_device(local_rank(), infos, failures)
                                                : choose_device(selector, infos, failures);
  return std::move(all[index]);
}

}  // namespace runtime
}  // namespace tessera::inline v0
