// Block: rows of a matrix's memory, and the parts that commands can copy.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "runtime/memory.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::runtime {

/// Rows of a matrix's memory. Lengths are in bytes, `offset` is that of the first element.
struct Block {
  Memory* memory;
  std::size_t offset, rows, row_bytes, pitch;
};

inline Block block_of(const MatrixLayout& layout, std::size_t element_bytes) {
  return {layout.memory.get(), layout.offset * element_bytes, layout.rows,
          layout.columns * element_bytes, layout.leading_dimension * element_bytes};
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

/// The offset of a part in dense host memory.
inline std::size_t host_offset(const Block& block, const Part& part) {
  return part.row * block.row_bytes + part.byte;
}

/// Splits blocks of one shape into parts that take one command each: a rectangle within the
/// buffer's rows. Rows that cross the end of a buffer row are cut there; the last row is separate
/// if its pitch does not end within the buffer, since NVIDIA's driver 580 rejects that.
std::vector<Part> parts(std::initializer_list<Block> blocks);

}  // namespace tessera::inline v0::runtime
