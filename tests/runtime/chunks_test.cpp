// Chunks: each byte of a block is in one of them, where dense host memory has it.
#include "runtime/chunks.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>

namespace tessera::test {
namespace {

using runtime::Block;
using runtime::StagingSlot;

/// Maps each run of a block to its place in host memory; runs that are adjacent in both are one.
std::map<std::size_t, std::size_t> host_runs(const Block& block) {
  std::map<std::size_t, std::size_t> runs;  // from the offset in memory to that in host memory
  for (const runtime::Chunk& chunk : runtime::chunks(block, block.row_bytes)) {
    EXPECT_LE(bytes(chunk.block), StagingSlot::kBytes);
    for (std::size_t row = 0; row < chunk.block.rows; row++)
      runs[chunk.block.offset + row * chunk.block.pitch] =
          chunk.host_offset + row * chunk.block.row_bytes;
  }
  return runs;
}

std::size_t all_bytes(const Block& block) {
  std::size_t all = 0;
  for (const runtime::Chunk& chunk : runtime::chunks(block, block.row_bytes))
    all += bytes(chunk.block);
  return all;
}

TEST(ChunksTest, ADenseBlockIsCutAnywhere) {
  const Block block{nullptr, 64, 3, StagingSlot::kBytes - 4, StagingSlot::kBytes - 4};
  EXPECT_EQ(runtime::chunks(block, block.row_bytes).size(), 3U);
  EXPECT_EQ(all_bytes(block), bytes(block));
  for (const auto& [offset, host] : host_runs(block)) EXPECT_EQ(offset - 64, host);
}

TEST(ChunksTest, AStridedBlockIsCutBetweenRows) {
  const Block block{nullptr, 8, 1000, 12000, 16000};
  EXPECT_EQ(runtime::chunks(block, block.row_bytes).size(), 3U);
  EXPECT_EQ(all_bytes(block), bytes(block));
  const auto runs = host_runs(block);
  ASSERT_EQ(runs.size(), 1000U);
  for (const auto& [offset, host] : runs) EXPECT_EQ((offset - 8) / 16000 * 12000, host);
}

TEST(ChunksTest, ARowThatFitsNoSlotIsCut) {
  const std::size_t row = 2 * StagingSlot::kBytes + 4;
  const Block block{nullptr, 0, 2, row, row + 100};
  EXPECT_EQ(runtime::chunks(block, block.row_bytes).size(), 6U);
  EXPECT_EQ(all_bytes(block), bytes(block));
  for (const auto& [offset, host] : host_runs(block))
    EXPECT_EQ(offset / (row + 100) * row + offset % (row + 100), host);
}

}  // namespace
}  // namespace tessera::test
