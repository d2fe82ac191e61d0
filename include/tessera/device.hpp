// Devices: what OpenCL offers on this machine, as data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

enum class DeviceType { cpu, gpu, accelerator, other };

/// "cpu", "gpu", "accelerator" or "other".
TESSERA_API std::string_view to_string(DeviceType type);

/// A device with its limits. Memory is in bytes.
struct DeviceInfo {
  std::string selector;  ///< "0:1": platform and device as clinfo numbers them; selects this device
                         ///< for an Engine
  std::string name, vendor, driver, version;  ///< version as "OpenCL 3.0 …"
  std::string platform, platform_version;
  DeviceType type = DeviceType::other;

  unsigned compute_units = 0;
  unsigned clock_mhz = 0;  ///< 0 if the runtime does not report it
  std::uint64_t global_memory = 0;
  std::uint64_t max_allocation = 0;
  std::uint64_t local_memory = 0;

  std::size_t max_work_group = 0;                  ///< work-items
  std::array<std::size_t, 3> max_work_items = {};  ///< in each dimension of a work-group
  std::vector<std::size_t> sub_group_sizes;  ///< that a kernel can require; empty if it cannot
  /// 32-bit lanes that run in lockstep: a warp, a wavefront, a vector register.
  unsigned simd_width = 1;

  bool has_double = false;
  bool has_images = false;
  std::size_t max_image_width = 0, max_image_height = 0;  ///< of a 2D image, in pixels
  std::vector<std::string> extensions;

  TESSERA_API bool has_extension(std::string_view extension) const;
};

/// The version of the keys of every JSON document that the library or the command writes, under
/// "schema". The keys are listed in docs/json.md.
inline constexpr int kJsonSchema = 1;

/// To JSON and back: missing fields get their defaults. Throws ArgumentError for any other text and
/// for another schema.
TESSERA_API std::string to_json(const DeviceInfo& device);
TESSERA_API DeviceInfo device_from_json(std::string_view json);

/// All devices of all platforms, in clinfo's order; empty if there are none.
TESSERA_API std::vector<DeviceInfo> devices();

}  // namespace tessera::inline v0
