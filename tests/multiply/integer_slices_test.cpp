// tensor_core_int32 without the instructions that it is written for: slices, their order and
// weights, shared work and edges, with plain OpenCL C in their place.
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "multiply/call.hpp"
#include "multiply/plain_kernel.hpp"
#include "runtime/kernel_source.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/transposed_if.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

using Integers = std::vector<std::int32_t>;

struct Product {
  std::size_t m, n, k;
  bool transpose_a = false, transpose_b = false;
  std::size_t more_columns = 0, first_column = 0;  // of the memory of A and B
};

/// All values of 32 bits, every fourth one an end of the range or a carry away from it.
Integers any_integers(std::size_t count, unsigned seed) {
  constexpr std::uint32_t kEdges[] = {0x80000000, 0x7fffffff, 0x80, 0x7f, 0xff80, 0x808080, 0};
  std::mt19937 random(seed);
  Integers all(count);
  for (std::size_t i = 0; i < count; i++) {
    const auto value = static_cast<std::uint32_t>(random());
    all[i] = static_cast<std::int32_t>(i % 4 == 0 ? kEdges[value % std::size(kEdges)] : value);
  }
  return all;
}

class IntegerSlicesTest : public testing::Test {
 protected:
  IntegerSlicesTest() {
    folder_.file("nvidia/wide_blocks.cl", content_of(TESSERA_PLAIN_WIDE_BLOCKS));
    folder_.file("common/fences.cl",
                 "#undef ARRIVING  // all do\n" + runtime::kernel_text("common/fences.cl"));
    folder_.file("nvidia/exchange.cl",
                 "#define EXCHANGE(x, y, distance, lane) (void)(lane)\n"
                 "#define STORE_ONCE(words, pointer) vstore4(words, 0, (global uint*)(pointer))\n");
    for (const char* name : {"bulk_copies", "tensor_maps", "wgmma"})
      folder_.file(std::string("nvidia/") + name + ".cl", "// See wide_blocks.cl.\n");
  }

  /// C, which was 3, against sums modulo 2^32.
  void check(const Product& product) {
    const Variable kernels_here("TESSERA_KERNEL_DIR", folder_.path().string());
    const auto [m, n, k, transpose_a, transpose_b, more, first] = product;
    const std::size_t a_rows = transpose_a ? k : m, a_columns = transpose_a ? m : k,
                      b_rows = transpose_b ? n : k, b_columns = transpose_b ? k : n,
                      a_pitch = a_columns + more, b_pitch = b_columns + more;
    const auto a_values = any_integers(a_rows * a_pitch, 1),
               b_values = any_integers(b_rows * b_pitch, 2);
    const Matrix<std::int32_t> a(engine(), a_rows, a_pitch, a_values),
        b(engine(), b_rows, b_pitch, b_values);
    Matrix<std::int32_t> c(engine(), m, n, Integers(m * n, 3));
    const auto left = transposed_if(transpose_a, a.block(0, first, a_rows, a_columns)),
               right = transposed_if(transpose_b, b.block(0, first, b_rows, b_columns));
    run_plain(engine(), "tensor_core_int32", {{"TILE_N", 64}},
              multiplication::make_call({detail::operand(c)}, {detail::operand(left)},
                                        {detail::operand(right)}, {.alpha = -2, .beta = 5}));
    const auto found = c.to_host();
    for (std::size_t i = 0; i < m; i++) {
      for (std::size_t j = 0; j < n; j++) {
        std::uint32_t sum = 0;
        for (std::size_t p = 0; p < k; p++) {
          sum += static_cast<std::uint32_t>(
                     a_values[transpose_a ? p * a_pitch + first + i : i * a_pitch + first + p]) *
                 static_cast<std::uint32_t>(
                     b_values[transpose_b ? j * b_pitch + first + p : p * b_pitch + first + j]);
        }
        ASSERT_EQ(static_cast<std::uint32_t>(found[i * n + j]), 15 - 2 * sum)
            << m << " x " << n << " x " << k << ": " << i << ", " << j;
      }
    }
  }

 private:
  Folder folder_;
};

TEST_F(IntegerSlicesTest, EveryOrderIsExactModulo2To32) {
  check({1, 1, 1});
  check({70, 133, 41});
  check({131, 67, 130, true, false, 3, 2});
  check({65, 66, 67, false, true, 5, 1});
  check({5, 7, 129, true, true});
}

TEST_F(IntegerSlicesTest, SharedBlocksHaveTheWeightsOfTheirSteps) {
  check({3, 5, 1000});
  check({130, 70, 300});
  check({260, 301, 200});  // whole runs would go through EXCHANGE
}

TEST_F(IntegerSlicesTest, AnEmptySumScalesC) { check({5, 7, 0}); }

}  // namespace
}  // namespace tessera::test
