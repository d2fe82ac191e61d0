// Copies of operands of bytes, as tensor maps take them: from any order and any alignment.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "operands/element.hpp"
#include "operands/grid.hpp"
#include "runtime/stream.hpp"
#include "runtime/submission.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

// Side in cl/nvidia/copied_side.cl.
struct Side {
  cl_ulong offset, width, stride, k_stride, to_stride, to_k_stride, groups;
};

constexpr std::size_t kTile = 64, kRows = 4;

std::vector<std::int8_t> bytes(std::size_t count) {
  std::vector<std::int8_t> all(count);
  for (std::size_t i = 0; i < count; i++)
    all[i] = static_cast<std::int8_t>((i * 2654435761U) >> 13 & 0xff);
  return all;
}

/// Copies one operand, as A and as B, and checks every byte, and the bytes between the rows behind
/// the last four of each.
void check(bool is_a, std::size_t width, std::size_t depth, std::size_t offset, bool along_k,
           std::size_t padding) {
  const std::size_t pitch = (along_k ? depth : width) + padding, lines = along_k ? width : depth,
                    to_pitch = operands::round_up(depth, 128);
  const auto from = bytes(offset + lines * pitch);
  const std::vector<std::int8_t> before(width * to_pitch, 99);
  const Matrix<std::int8_t> source(engine(), 1, from.size(), from);
  Matrix<std::int8_t> copy(engine(), width, to_pitch, before);
  const Side side{offset,
                  width,
                  along_k ? pitch : 1,
                  along_k ? 1 : pitch,
                  to_pitch,
                  1,
                  operands::divide_up(width, kTile)};
  const Side none{0, 0, 1, 1, 1, 1, 0};
  runtime::Stream& stream = runtime::stream_of(engine());
  // The product is left out: only Hopper compiles it.
  const Folder folder;
  folder.file("nvidia/wide_blocks.cl", "// left out\n");
  folder.file("nvidia/word_results.cl", "// left out\n");
  const Variable kernels_here("TESSERA_KERNEL_DIR", folder.path().string());
  const auto program = stream.context().programs().get("multiply/tensor_core_int8.cl",
                                                       operands::element_option(ElementType::int8));
  const auto &a = detail::operand(source).memory->buffer(),
             &to = detail::operand(copy).memory->buffer();
  {
    runtime::Submission submission(stream, {});
    submission.launch(program->kernel("multiply_copy_operands"),
                      {{static_cast<std::size_t>(side.groups), 2}, {kTile, kRows}}, cl_ulong{depth},
                      a, is_a ? side : none, to, a, is_a ? none : side, to);
    submission.finish().second.wait();
  }
  const auto found = copy.to_host();
  for (std::size_t w = 0; w < width; w++) {
    for (std::size_t p = 0; p < depth; p++) {
      const std::size_t at = offset + w * side.stride + p * side.k_stride;
      ASSERT_EQ(found[w * to_pitch + p], from[at]) << width << " x " << depth << " from " << offset
                                                   << ", " << along_k << ": " << w << ", " << p;
    }
    for (std::size_t p = operands::round_up(depth, 4); p < to_pitch; p++)
      ASSERT_EQ(found[w * to_pitch + p], 99) << "behind row " << w;
  }
}

TEST(ByteCopiesTest, AreRightFromAnyOrderAndAlignment) {
  for (const bool is_a : {false, true}) {
    for (const bool along_k : {false, true}) {
      for (const std::size_t offset : {0U, 1U, 3U, 8U}) {
        check(is_a, 1, 1, offset, along_k, 0);
        check(is_a, 5, 3, offset, along_k, 0);
        check(is_a, 64, 64, offset, along_k, 0);
        check(is_a, 67, 70, offset, along_k, 1);
        check(is_a, 130, 201, offset, along_k, 3);
        check(is_a, 128, 260, offset, along_k, 4);
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
