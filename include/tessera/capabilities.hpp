// Capabilities: a device with everything that its driver was found to support, as one value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/device.hpp>
#include <tessera/engine.hpp>
#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// The way in which the lanes of a sub-group exchange values. Kernels get the number as SHUFFLE.
enum class LaneExchange {
  local_memory = 0,
  khr_subgroups = 1,
  intel_subgroups = 2,
  nvidia_ptx = 3
};

/// "local memory", "cl_khr_subgroups", "cl_intel_subgroups" or "NVIDIA PTX".
TESSERA_API std::string_view to_string(LaneExchange exchange);

/// A lane exchange that was found to work, with the sub-group sizes that it can have.
struct LaneSupport {
  LaneExchange exchange = LaneExchange::local_memory;
  std::vector<int> sizes = {};  ///< ascending

  friend bool operator==(const LaneSupport&, const LaneSupport&) = default;
};

/// Everything that the rules, the defaults and the choice of kernels depend on: they are functions
/// of this value and need no device.
struct DeviceCapabilities : DeviceInfo {
  std::vector<LaneSupport> lane_exchanges = {};  ///< preferred first, local memory always last
  bool has_block_reads = false;        ///< of cl_intel_subgroups; some drivers list it without them
  bool has_float_atomics = false;      ///< float addition in global memory: cl_ext_float_atomics
  bool has_float_denormals = true;     ///< subnormal floats are not flushed to zero
  bool has_prefetches = true;          ///< Clang's prefetch builtin; asked of CPUs alone
  bool has_exact_floats = false;       ///< fma, sums' errors and corrected quotients of floats
                                       ///< are as precise as a proof assumes
  bool has_exact_doubles = false;      ///< so are fma and corrected quotients of doubles
  bool has_exact_double_sums = false;  ///< and the errors of their sums
  bool has_device_fence = false;       ///< that orders a work-item's memory for all work-groups
  bool has_cache_policies = false;     ///< of reads, for the L2 cache: NVIDIA's, from Ampere on
  bool has_wgmma = false;              ///< products of halves by warp-groups: NVIDIA's Hopper
  std::uint64_t async_copy_memory =
      0;  ///< bytes of local memory of a work-group that copies to it
          ///< asynchronously: NVIDIA's, from Ampere on; 0: no such copies
  std::uint64_t tensor_map_memory =
      0;  ///< bytes of local memory of a work-group that copies by
          ///< tensor maps: NVIDIA's, from Hopper on; 0: no tensor maps

  int nvidia_architecture = 0;  ///< ten times NVIDIA's compute capability: 90 for Hopper

  /// Null if the device does not have the exchange.
  TESSERA_API const LaneSupport* find(LaneExchange exchange) const;
};

/// Determined once per engine, by queries and by building and running small kernels; cached on
/// disk beside the built programs.
TESSERA_API const DeviceCapabilities& capabilities(const Engine& engine);

/// To JSON and back: missing fields get their defaults. Throws ArgumentError for any other text and
/// for another schema than kJsonSchema.
TESSERA_API std::string to_json(const DeviceCapabilities& capabilities);
TESSERA_API DeviceCapabilities capabilities_from_json(std::string_view json);

}  // namespace tessera::inline v0
