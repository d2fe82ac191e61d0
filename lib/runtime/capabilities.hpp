// Capabilities of a context's device, probed once.
#pragma once

#include <string>

#include "runtime/context.hpp"
#include "runtime/stream.hpp"
#include "tessera/capabilities.hpp"

namespace tessera::inline v0::runtime {

/// What the device of this stream's context can do. Where extensions suggest a lane exchange or
/// block reads, a small kernel is built and run; a feature that gives wrong values is left out.
const DeviceCapabilities& capabilities(Stream& stream);

/// Sets them, unless they are known: as found by the process that this one works for.
void assume_capabilities(Stream& stream, DeviceCapabilities found);

/// Build options that a kernel with this exchange needs, with a leading space.
std::string lane_options(const DeviceInfo& device, LaneExchange exchange);

}  // namespace tessera::inline v0::runtime
