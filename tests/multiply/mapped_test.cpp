// bulk_copy without the instructions that it is written for: copies of operands, tensor maps'
// orders, shared work and edges, with plain OpenCL C in their place.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "multiply/call.hpp"
#include "multiply/plain_kernel.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/transposed_if.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

/// A product with operands in wider memory.
struct Mapped {
  std::size_t m, n, k;
  std::size_t more_columns = 0, first_column = 0;  // of the memory of A and B
};

/// Each has a program of its own.
struct TileInOrder {
  Parameters tile;
  bool transpose_a, transpose_b;
};

/// Small integers, so that every sum is exact.
std::vector<float> small_integers(std::size_t count, std::uint32_t state) {
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(state >> 28) - 8;
  }
  return values;
}

class MappedTest : public testing::TestWithParam<TileInOrder> {
 protected:
  MappedTest() {
    const std::string plain = content_of(TESSERA_PLAIN_COPIES);
    folder_.file("nvidia/bulk_copies.cl", plain);
    folder_.file("nvidia/tensor_maps.cl", "#include \"nvidia/bulk_copies.cl\"\n");
    folder_.file("nvidia/halves.cl", "// For halves only.\n");
  }

  /// The library's own way, past the question whether the device has tensor maps.
  void run(const Mapped& mapped) {
    const Variable kernels_here("TESSERA_KERNEL_DIR", folder_.path().string());
    const bool transpose_a = GetParam().transpose_a, transpose_b = GetParam().transpose_b;
    const std::size_t a_rows = transpose_a ? mapped.k : mapped.m,
                      a_columns = transpose_a ? mapped.m : mapped.k,
                      b_rows = transpose_b ? mapped.n : mapped.k,
                      b_columns = transpose_b ? mapped.k : mapped.n, more = mapped.more_columns,
                      first = mapped.first_column;
    const auto a_values = small_integers(a_rows * (a_columns + more), 1),
               b_values = small_integers(b_rows * (b_columns + more), 2);
    const Matrix<float> a(engine_, a_rows, a_columns + more, a_values),
        b(engine_, b_rows, b_columns + more, b_values);
    Matrix<float> c(engine_, mapped.m, mapped.n, std::vector<float>(mapped.m * mapped.n, 3));
    const auto left = transposed_if(transpose_a, a.block(0, first, a_rows, a_columns)),
               right = transposed_if(transpose_b, b.block(0, first, b_rows, b_columns));
    const auto call = multiplication::make_call({detail::operand(c)}, {detail::operand(left)},
                                                {detail::operand(right)}, {.alpha = 2, .beta = 1});
    run_plain(engine_, "bulk_copy", GetParam().tile, call);
    const auto found = c.to_host();
    for (std::size_t i = 0; i < mapped.m; i++) {
      for (std::size_t j = 0; j < mapped.n; j++) {
        float sum = 0;
        for (std::size_t p = 0; p < mapped.k; p++) {
          const std::size_t a_at = transpose_a ? p * (a_columns + more) + first + i
                                               : i * (a_columns + more) + first + p,
                            b_at = transpose_b ? j * (b_columns + more) + first + p
                                               : p * (b_columns + more) + first + j;
          sum += a_values[a_at] * b_values[b_at];
        }
        ASSERT_EQ(found[i * mapped.n + j], 2 * sum + 3) << i << ", " << j;
      }
    }
  }

 private:
  Folder folder_;
  WithoutOptimiser fast_builds_;
  Engine engine_;
};

TEST_P(MappedTest, EdgesAndViewsAreRight) {
  run({70, 133, 41});
  run({64, 64, 64, 4, 4});
}

TEST_P(MappedTest, RowsThatAreNotAlignedAreCopied) {
  run({65, 66, 67, 5, 1});
  run({65, 66, 67});
}

TEST_P(MappedTest, SharedWorkIsJoined) {
  run({3, 5, 1000});
  run({130, 70, 300});
}

TEST_P(MappedTest, AnEmptySumScalesC) { run({5, 7, 0}); }

// Small tiles of floats, which PoCL compiles in seconds.
const Parameters kSmall{{"TILE_M", 64}, {"TILE_N", 64}, {"WORK_M", 4},
                        {"WORK_N", 8},  {"TILE_K", 8},  {"STAGES", 2}},
    kDeep{{"TILE_M", 32}, {"TILE_N", 64}, {"WORK_M", 4},
          {"WORK_N", 8},  {"TILE_K", 16}, {"STAGES", 3}},
    kDeepest{{"TILE_M", 32}, {"TILE_N", 64}, {"WORK_M", 4},
             {"WORK_N", 8},  {"TILE_K", 32}, {"STAGES", 3}};  // without transposes

INSTANTIATE_TEST_SUITE_P(
    Tiles, MappedTest,
    testing::Values(TileInOrder{kSmall, false, false}, TileInOrder{kSmall, false, true},
                    TileInOrder{kSmall, true, false}, TileInOrder{kSmall, true, true},
                    TileInOrder{kDeep, false, true}, TileInOrder{kDeepest, true, false}));

}  // namespace
}  // namespace tessera::test
