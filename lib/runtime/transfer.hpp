// Transfers: blocks of matrices between host and device, and within a device.
#pragma once

#include <vector>

#include "runtime/block.hpp"
#include "runtime/stream.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

// Blocks may be empty; nothing is enqueued then, and the event is empty.

/// Enqueues a copy from the host, whose memory must not change or be freed until the event is
/// complete.
Event write_async(Stream& stream, const Block& to, const Source& from);
/// Copies from the host, and waits. No command uses the host memory itself.
void write(Stream& stream, const Block& to, const Source& from);
/// Enqueues a copy to the host, whose memory must not be used or freed until the event is complete.
Event read_async(Stream& stream, const Block& from, const Target& to);
/// Copies to the host, and waits. No command uses the host memory itself.
void read(Stream& stream, const Block& from, const Target& to);
/// Enqueues a copy within the device, after `wait_for`. Both blocks have the same shape.
Event copy(Stream& stream, const Block& from, const Block& to,
           const std::vector<Event>& wait_for = {});

}  // namespace tessera::inline v0::runtime
