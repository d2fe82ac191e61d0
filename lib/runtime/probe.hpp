// Probe: a small kernel that finds out whether a device has a feature.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/json_reader.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::runtime {

/// A kernel whose work-items count wrong values; more arguments come after these counts.
struct Probe {
  std::string file;  ///< below cl/; it names the kernel
  std::string options;
  std::array<std::size_t, 2> group;
  std::uint64_t memory = 0;  ///< bytes, as second argument
};

/// The result of a probe.
struct Finding {
  bool works = false;
  bool is_certain = true;  ///< false: it ended by an error that may be over the next time
};

Json json_of(const Probe& probe);
/// Throws Json::exception for a missing field or an invalid value.
Probe probe_of(const Json& json);

/// Builds and runs a probe in this process, on a stream of its own. Any failure means that the
/// feature does not work.
Finding run_probe(Stream& caller, const Probe& probe);

/// The same in a child process, if there is one. A device does not have the feature if the probe
/// ends the child.
Finding try_probe(Stream& caller, const Probe& probe);

}  // namespace tessera::inline v0::runtime
