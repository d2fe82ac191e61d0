// Chunks: the parts of a block that go through staging slots.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "runtime/block.hpp"
#include "runtime/staging.hpp"

namespace tessera::inline v0::runtime {

/// A part of a block that fits into a slot, and where its first byte is in host memory.
struct Chunk {
  Block block;
  std::size_t host_offset;
};

using CopyChunk = std::function<void(Staging&, const Chunk&)>;

/// The chunks of a block whose rows in host memory are `host_pitch` bytes apart, in order: whole
/// rows, or pieces of one.
std::vector<Chunk> chunks(Block block, std::size_t host_pitch);

/// Copies all chunks, in several threads, each with a slot of its own. No chunk is begun after a
/// failure, which is thrown at the end.
void copy_chunks(Context& context, const std::vector<Chunk>& chunks, const CopyChunk& copy);

}  // namespace tessera::inline v0::runtime
