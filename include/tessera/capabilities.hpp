// Capabilities: a device with all that its drivers' compilers were found to do, as one value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tessera/device.hpp>
#include <tessera/engine.hpp>
#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// By what the lanes of a sub-group read each other's values; the number is SHUFFLE's in kernels.
enum class LaneExchange {
  local_memory = 0,
  khr_subgroups = 1,
  intel_subgroups = 2,
  nvidia_ptx = 3
};

/// "local memory", "cl_khr_subgroups", "cl_intel_subgroups" or "NVIDIA PTX".
TESSERA_API std::string_view name(LaneExchange exchange);

/// An exchange that was seen to work, with the sub-group sizes that it can have.
struct LaneSupport {
  LaneExchange exchange = LaneExchange::local_memory;
  std::vector<int> sizes = {};  ///< ascending

  friend bool operator==(const LaneSupport&, const LaneSupport&) = default;
};

/// All that the rules, the defaults and the choice of kernels look at: they are functions of this
/// value, and need no device.
struct DeviceCapabilities : DeviceInfo {
  std::vector<LaneSupport> lane_exchanges = {};  ///< the preferred first, local memory always last
  bool has_block_reads = false;     ///< cl_intel_subgroups with block reads: some list it without
  bool has_float_atomics = false;   ///< sums of floats in global memory, by cl_ext_float_atomics
  bool has_float_denormals = true;  ///< floats below the smallest normal number are not flushed

  /// Nothing where the device does not have the exchange.
  TESSERA_API const LaneSupport* find(LaneExchange exchange) const;
};

/// Found once an engine, by queries and by small kernels that are built and run; kept on disk
/// beside the built programs.
TESSERA_API const DeviceCapabilities& capabilities(const Engine& engine);

/// As JSON, and back: what is missing has its default. Throws Error for text that is no such JSON.
TESSERA_API std::string to_json(const DeviceCapabilities& capabilities);
TESSERA_API DeviceCapabilities capabilities_from_json(std::string_view json);

}  // namespace tessera::inline v0
