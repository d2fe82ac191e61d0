// Block: rows of a matrix's memory, and the parts that commands can copy.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "runtime/memory.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::runtime {

/// Rows of a matrix's memory. Lengths are in bytes. `offset` is where the first element begins.
struct Block {
  Memory* memory;
  std::size_t offset, rows, row_bytes, pitch;
};

/// The rows of an operand as they are stored, before a transpose.
inline Block block_of(const detail::Operand& operand) {
  const std::size_t size = element_size(operand.type);
  return {operand.memory.get(), operand.offset * size, operand.stored_rows,
          operand.stored_columns * size, operand.leading_dimension * size};
}

using Sizes = std::array<std::size_t, 3>;

/// Some rows of a block, and `bytes` bytes of each, starting at `byte`.
struct Part {
  std::size_t row, byte, rows, bytes;
};

inline bool dense(const Block& block) { return block.rows == 1 || block.pitch == block.row_bytes; }
inline bool empty(const Block& block) { return block.rows == 0 || block.row_bytes == 0; }
inline std::size_t bytes(const Block& block) { return block.rows * block.row_bytes; }
inline Sizes origin(const Block& block) {
  return {block.offset % block.pitch, block.offset / block.pitch, 0};
}
inline Sizes region(const Block& block) { return {block.row_bytes, block.rows, 1}; }

inline Block within(const Block& block, const Part& part) {
  return {block.memory, block.offset + part.row * block.pitch + part.byte, part.rows, part.bytes,
          block.pitch};
}

/// Rows in host memory, `pitch` bytes apart.
template <class Byte>
struct HostRows {
  Byte* data;
  std::size_t pitch;

  /// The first byte of a part of the rows.
  Byte* at(const Part& part) const { return data + part.row * pitch + part.byte; }
};
using Source = HostRows<const std::byte>;
using Target = HostRows<std::byte>;

/// Returns whether a block and its rows in host memory are both contiguous.
template <class Byte>
bool dense(const Block& block, const HostRows<Byte>& rows) {
  return block.rows == 1 || (block.pitch == block.row_bytes && rows.pitch == block.row_bytes);
}

/// Splits blocks of one shape into parts that take one command each. Contiguous blocks are one part
/// unless they are copied `by_rows`. Other parts are rectangles within the buffer's rows: rows that
/// cross the end of a buffer row are cut there. The last row is separate if its pitch does not end
/// within the buffer, because NVIDIA's driver 580 rejects that.
std::vector<Part> parts(std::initializer_list<Block> blocks, bool by_rows = false);

}  // namespace tessera::inline v0::runtime
