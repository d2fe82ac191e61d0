// Transfers: blocks of matrices between host and device, and within a device.
#pragma once

#include <cstddef>

#include "runtime/memory.hpp"
#include "runtime/stream.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

/// Rows of a matrix's memory. Lengths are in bytes, `offset` is that of the first element.
struct Block {
  Memory* memory;
  std::size_t offset, rows, row_bytes, pitch;
};

// Host memory is dense. Blocks may be empty; nothing is enqueued then, and the event is empty.

/// Enqueues a copy from the host, whose memory must not change until the event is complete.
Event write(Stream& stream, const Block& to, const void* from);
/// Waits until a copy to or from the host has ended. If that fails, no command still uses the host
/// memory.
void wait_for_host(Stream& stream, const Event& copied);
/// Copies to the host, and waits.
void read(Stream& stream, const Block& from, void* to);
/// Enqueues a copy within the device. Both blocks have the same shape.
Event copy(Stream& stream, const Block& from, const Block& to);

}  // namespace tessera::inline v0::runtime
