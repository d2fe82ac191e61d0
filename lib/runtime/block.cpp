// Splitting blocks into rectangles that every driver accepts.
#include "runtime/block.hpp"

#include <algorithm>

namespace tessera::inline v0::runtime {
namespace {

/// The number of bytes of a row before the next multiple of the pitch. An adopted view may begin at
/// any offset.
std::size_t before_wrap(const Block& block) {
  return std::min(block.row_bytes, block.pitch - block.offset % block.pitch);
}

/// Returns whether every row, extended to the full pitch, is within the buffer.
bool ends_with_a_pitch(const Block& block) {
  const std::size_t rows = block.rows + (before_wrap(block) < block.row_bytes ? 1 : 0);
  return (block.offset / block.pitch + rows) * block.pitch <=
         block.memory->buffer().getInfo<CL_MEM_SIZE>();
}

}  // namespace

std::vector<Part> parts(std::initializer_list<Block> blocks, bool by_rows) {
  const Block& shape = *blocks.begin();
  const auto is_dense = [](const Block& block) { return dense(block); };
  if (!by_rows && std::ranges::all_of(blocks, is_dense))
    return {{0, 0, shape.rows, shape.row_bytes}};
  std::vector<std::size_t> edges = {shape.row_bytes};
  for (const Block& block : blocks) edges.push_back(before_wrap(block));
  std::ranges::sort(edges);
  const std::size_t rows =
      std::ranges::all_of(blocks, ends_with_a_pitch) ? shape.rows : shape.rows - 1;
  std::vector<Part> all;
  std::size_t byte = 0;
  for (const std::size_t edge : edges) {
    if (edge > byte) all.push_back({0, byte, rows, edge - byte});
    byte = edge;
  }
  if (rows < shape.rows) all.push_back({rows, 0, 1, shape.row_bytes});
  return all;
}

}  // namespace tessera::inline v0::runtime
