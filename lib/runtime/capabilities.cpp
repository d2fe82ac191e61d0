// Probing a device: what its extensions suggest, verified by small kernels.
#include "runtime/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/binary_cache.hpp"
#include "runtime/device.hpp"
#include "runtime/exactness.hpp"
#include "runtime/log.hpp"
#include "runtime/once.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/probe.hpp"
#include "runtime/process.hpp"
#include "tessera/version.hpp"

namespace tessera::inline v0 {
namespace runtime {
namespace {

constexpr std::array kSizes = {4, 8, 16, 32, 64};
constexpr unsigned kProbedSubGroups = 2;

/// Determined once per context.
struct Findings {
  Once once;
  DeviceCapabilities capabilities;
  bool certain = true;  ///< no probe ended by an error that may be over the next time
};

bool allows(const DeviceInfo& device, std::size_t size) {
  return device.sub_group_sizes.empty()
             ? size == device.simd_width
             : std::ranges::find(device.sub_group_sizes, size) != device.sub_group_sizes.end();
}

bool has_core_sub_groups(const Device& device) {
  constexpr cl_device_info kMaxSubGroups = 0x105C;  // of OpenCL 2.1
  return query<cl_uint>(device.handle, kMaxSubGroups, 0) > 0;
}

bool has_float_atomics(const Device& device) {
  constexpr cl_device_info kSingleFpAtomics = 0x4231;
  constexpr cl_bitfield kGlobalAdd = 2;
  return device.info.has_extension("cl_ext_float_atomics") &&
         device.info.version.starts_with("OpenCL 3.") &&
         (query<cl_bitfield>(device.handle, kSingleFpAtomics, 0) & kGlobalAdd) != 0;
}

/// Sub-group sizes that an exchange may have on this device; none if the device cannot have it.
std::vector<int> suggested_sizes(const Device& device, LaneExchange exchange) {
  const DeviceInfo& info = device.info;
  std::vector<int> sizes;
  std::ranges::copy_if(kSizes, std::back_inserter(sizes), [&](int size) {
    const auto lanes = static_cast<std::size_t>(size);
    switch (exchange) {
      case LaneExchange::local_memory: return lanes <= info.max_work_group;
      case LaneExchange::intel_subgroups:
        return info.has_extension("cl_intel_subgroups") && allows(info, lanes);
      case LaneExchange::khr_subgroups:
        return (info.has_extension("cl_khr_subgroups") || has_core_sub_groups(device)) &&
               allows(info, lanes);
      case LaneExchange::nvidia_ptx:
        return info.has_extension("cl_nv_device_attribute_query") && info.simd_width == 32 &&
               size == 32;
    }
    return false;
  });
  return sizes;
}

/// Returns whether the probe passes, and notes an error that may be over the next time.
bool works(Stream& caller, const Probe& probe) {
  const Finding finding = try_probe(caller, probe);
  if (!finding.is_certain) caller.context().extension<Findings>().certain = false;
  return finding.works;
}

bool lanes_work(Stream& caller, const std::string& probe, LaneExchange exchange, int lanes) {
  return works(caller,
               {.file = "probes/" + probe + ".cl",
                .options = fmt::format(  // ELEMENT=0: float
                    "-D ELEMENT=0 -D OUTPUT=0 -D SHUFFLE={} -D SUBGROUP_SIZE={} -D SUB_GROUPS={}{}",
                    static_cast<int>(exchange), lanes, kProbedSubGroups,
                    lane_options(caller.context().device().info, exchange)),
                .group = {static_cast<std::size_t>(lanes), kProbedSubGroups}});
}

/// Ten times the compute capability: 90 for Hopper, 0 for devices of other vendors.
int nvidia_architecture(const Device& device) {
  constexpr cl_device_info kComputeCapabilityMajorNv = 0x4000, kComputeCapabilityMinorNv = 0x4001;
  if (!device.info.has_extension("cl_nv_device_attribute_query")) return 0;
  return static_cast<int>(10 * query<cl_uint>(device.handle, kComputeCapabilityMajorNv, 0) +
                          query<cl_uint>(device.handle, kComputeCapabilityMinorNv, 0));
}

/// The compilers of CPU runtimes are Clang and have its prefetch builtin, PoCL's in any case; but
/// Mesa's translator from LLVM ends the process there. Kernels for GPUs do not use it.
bool prefetches_work(Stream& caller) {
  const DeviceInfo& info = caller.context().device().info;
  return info.type == DeviceType::cpu &&
         (is_pocl(info) ||
          works(caller, {.file = "probes/prefetch.cl", .options = "", .group = {1, 1}}));
}

/// Returns whether OpenCL 2, OpenCL 3 or PTX gives the device a fence for all work-groups.
bool has_device_fence(const DeviceCapabilities& found, const Device& device) {
  constexpr cl_device_info kAtomicFences = 0x1064;  // of OpenCL 3.0
  constexpr cl_bitfield kAcquireRelease = 2, kDeviceScope = 32,
                        kBoth = kAcquireRelease | kDeviceScope;
  if (found.find(LaneExchange::nvidia_ptx) != nullptr) return true;
  if (found.version.starts_with("OpenCL 3."))
    return (query<cl_bitfield>(device.handle, kAtomicFences, 0) & kBoth) == kBoth;
  return found.version.starts_with("OpenCL 2.");
}

/// OpenCL's limit for local memory does not count here, and no query has the one that does: 227 KiB
/// of Hopper and of Blackwell's servers, 163 KiB of Ampere's, 99 KiB of the other cards.
std::uint64_t async_copy_memory(Stream& caller) {
  for (const std::uint64_t bytes : {224U << 10, 160U << 10, 99U << 10, 48U << 10}) {
    if (works(caller, {.file = "probes/async_copy.cl",
                       .options = fmt::format("-D LOCAL_BYTES={}", bytes),
                       .group = {32, 1},
                       .memory = 32 * sizeof(cl_uint)}))
      return bytes;
  }
  return 0;
}

bool cache_policies_work(Stream& caller) {
  return works(caller, {.file = "probes/cache_policy.cl",
                        .options = "-D ELEMENT=0 -D OUTPUT=0 -D CACHED_MIB=1",
                        .group = {32, 1},
                        .memory = 32 * sizeof(cl_float)});
}

/// See async_copy_memory().
std::uint64_t tensor_map_memory(Stream& caller) {
  for (const std::uint64_t bytes : {224U << 10, 96U << 10}) {
    const auto options = fmt::format(
        "-D ELEMENT=2 -D OUTPUT=2 -D STAGES=1 -D TILE_K=8 -D LOCAL_BYTES={}", bytes - 1024);
    if (works(
            caller,
            {.file = "probes/tensor_map.cl", .options = options, .group = {32, 1}, .memory = 1024}))
      return bytes;
  }
  return 0;
}

bool wgmma_works(Stream& caller) {
  return works(caller, {.file = "probes/wgmma.cl", .options = "", .group = {128, 1}});
}

/// The size nearest to the device's SIMD width.
int probed_size(const std::vector<int>& sizes, unsigned simd_width) {
  return *std::ranges::min_element(
      sizes, {}, [&](int size) { return std::abs(size - static_cast<int>(simd_width)); });
}

void find_exactness(Stream& stream, DeviceCapabilities& found) try {
  const auto [floats, doubles] = try_exact_arithmetic(stream);
  found.has_exact_floats = floats.all();
  found.has_exact_doubles = doubles.products && doubles.quotients;
  found.has_exact_double_sums = doubles.sums;
} catch (const Error& error) {
  log(fmt::format("a device's arithmetic is not known: {}", error.what()));
  stream.context().extension<Findings>().certain = false;
}

DeviceCapabilities probe(Stream& stream) {
  const Device& device = stream.context().device();
  DeviceCapabilities found{device.info};
  found.has_float_atomics = has_float_atomics(device);
  found.has_float_denormals =
      (device.handle.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_DENORM) != 0;
  find_exactness(stream, found);
  for (const LaneExchange exchange :
       {LaneExchange::intel_subgroups, LaneExchange::khr_subgroups, LaneExchange::nvidia_ptx}) {
    auto sizes = suggested_sizes(device, exchange);
    if (sizes.empty()) continue;
    const int lanes = probed_size(sizes, device.info.simd_width);
    if (!lanes_work(stream, "exchange", exchange, lanes)) continue;
    if (exchange == LaneExchange::intel_subgroups)
      found.has_block_reads =
          lanes_work(stream, "block_read", exchange, std::min(lanes, max_block_read_lanes(found)));
    found.lane_exchanges.push_back({exchange, std::move(sizes)});
  }
  found.lane_exchanges.push_back(
      {LaneExchange::local_memory, suggested_sizes(device, LaneExchange::local_memory)});
  found.has_prefetches = prefetches_work(stream);
  constexpr int kAmpere = 80, kHopper = 90;
  found.nvidia_architecture = nvidia_architecture(device);
  found.has_device_fence = has_device_fence(found, device);
  const bool is_ampere = found.nvidia_architecture >= kAmpere;
  found.async_copy_memory = is_ampere ? async_copy_memory(stream) : 0;
  found.has_cache_policies = is_ampere && cache_policies_work(stream);
  found.tensor_map_memory = found.nvidia_architecture >= kHopper ? tensor_map_memory(stream) : 0;
  found.has_wgmma = found.tensor_map_memory > 0 && wgmma_works(stream);
  return found;
}

/// Reads the capabilities from disk if an earlier process has stored them, else probes the device.
/// After a failure that may be temporary, such as lack of memory, the next process probes again.
DeviceCapabilities find_capabilities(Stream& stream) {
  const DeviceInfo& info = stream.context().device().info;
  const auto cache = BinaryCache::from_environment();
  // Of the limits that an environment can change, only this one counts here.
  const std::string key = fmt::format("capabilities 10 {} {}\n{}", TESSERA_VERSION_STRING,
                                      info.max_work_group, exactness_program(stream));
  if (const auto known = cache.read(key)) {
    DeviceCapabilities found = capabilities_from_json(std::string(known->begin(), known->end()));
    static_cast<DeviceInfo&>(found) = info;
    return found;
  }
  DeviceCapabilities found = probe(stream);
  if (stream.context().extension<Findings>().certain) {
    const std::string json = to_json(found);
    cache.write(key, Binary(json.begin(), json.end()));
  }
  return found;
}

}  // namespace

const DeviceCapabilities& capabilities(Stream& stream) {
  check_process();
  auto& findings = stream.context().extension<Findings>();
  findings.once.call([&] { findings.capabilities = find_capabilities(stream); });
  return findings.capabilities;
}

void assume_capabilities(Stream& stream, DeviceCapabilities found) {
  auto& findings = stream.context().extension<Findings>();
  findings.once.call([&] { findings.capabilities = std::move(found); });
}

int max_block_read_lanes(const DeviceInfo& device) {
  return device.type == DeviceType::gpu ? 16 : kSizes.back();
}

std::string lane_options(const DeviceInfo& device, LaneExchange exchange) {
  if (exchange != LaneExchange::khr_subgroups && exchange != LaneExchange::intel_subgroups)
    return {};
  return fmt::format(" -cl-std={}{}", device.version.starts_with("OpenCL 3.") ? "CL3.0" : "CL2.0",
                     device.sub_group_sizes.empty() ? "" : " -D LANES_PINNED");
}

}  // namespace runtime

std::string_view to_string(LaneExchange exchange) {
  constexpr std::array<std::string_view, 4> kNames = {"local memory", "cl_khr_subgroups",
                                                      "cl_intel_subgroups", "NVIDIA PTX"};
  return kNames.at(static_cast<std::size_t>(exchange));
}

const LaneSupport* DeviceCapabilities::find(LaneExchange exchange) const {
  const auto found = std::ranges::find(lane_exchanges, exchange, &LaneSupport::exchange);
  return found == lane_exchanges.end() ? nullptr : &*found;
}

const DeviceCapabilities& capabilities(const Engine& engine) {
  return runtime::with_opencl_errors([&]() -> const DeviceCapabilities& {
    return runtime::capabilities(runtime::stream_of(engine));
  });
}

}  // namespace tessera::inline v0
