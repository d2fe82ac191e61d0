// bulk_copy without the instructions that it is written for: copies of operands, tensor maps'
// orders, shared work and edges, with plain OpenCL C in their place.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "multiply/call.hpp"
#include "multiply/plain_kernel.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

/// A product with operands in wider memory.
struct Mapped {
  std::size_t m, n, k;
  std::size_t more_columns = 0, first_column = 0;  // of the memory of A, B and C
};

/// Each has a program of its own.
struct TileInOrder {
  Parameters tile;
  Op a = Op::none, b = Op::none;
};

/// Small integers, so that every sum is exact.
template <class T>
std::vector<T> small_integers(std::size_t count, std::uint32_t state) {
  const auto next = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<float>(state >> 28) - 8;
  };
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_same_v<T, float>) {
      value = next();
    } else {
      const float real = next();
      value = {real, next()};
    }
  }
  return values;
}

template <class T>
ConstMatrixView<T> with_op(Op op, ConstMatrixView<T> view) {
  return op == Op::none ? view : op == Op::transpose ? view.transposed() : view.adjoint();
}
template <class T>
T as_read(Op op, T value) {
  if constexpr (!std::is_same_v<T, float>)
    return op == Op::conjugate_transpose ? std::conj(value) : value;
  return value;
}

class MappedTest : public testing::TestWithParam<TileInOrder> {
 protected:
  MappedTest() {
    const std::string plain = content_of(TESSERA_PLAIN_COPIES);
    folder_.file("nvidia/bulk_copies.cl", plain);
    folder_.file("nvidia/tensor_maps.cl", "#include \"nvidia/bulk_copies.cl\"\n");
    folder_.file("nvidia/halves.cl", "// For halves only.\n");
  }

  void run(const Mapped& mapped) { run_with<float>(mapped, 2, 1); }

  /// The library's own way, past the question whether the device has tensor maps.
  template <class T>
  void run_with(const Mapped& mapped, T alpha, T beta) {
    const Variable kernels_here("TESSERA_KERNEL_DIR", folder_.path().string());
    const Op op_a = GetParam().a, op_b = GetParam().b;
    const bool transpose_a = is_transposed(op_a), transpose_b = is_transposed(op_b);
    const std::size_t a_rows = transpose_a ? mapped.k : mapped.m,
                      a_columns = transpose_a ? mapped.m : mapped.k,
                      b_rows = transpose_b ? mapped.n : mapped.k,
                      b_columns = transpose_b ? mapped.k : mapped.n, more = mapped.more_columns,
                      first = mapped.first_column;
    const auto a_values = small_integers<T>(a_rows * (a_columns + more), 1),
               b_values = small_integers<T>(b_rows * (b_columns + more), 2);
    const Matrix<T> a(engine_, a_rows, a_columns + more, a_values),
        b(engine_, b_rows, b_columns + more, b_values);
    const std::size_t c_rows = mapped.m + 1, c_columns = mapped.n + more;
    Matrix<T> c(engine_, c_rows, c_columns, std::vector<T>(c_rows * c_columns, T(3)));
    const auto to = c.block(1, first, mapped.m, mapped.n);
    const auto left = with_op(op_a, a.block(0, first, a_rows, a_columns)),
               right = with_op(op_b, b.block(0, first, b_rows, b_columns));
    const auto call =
        multiplication::make_call({detail::operand(to)}, {detail::operand(left)},
                                  {detail::operand(right)}, {.alpha = alpha, .beta = beta});
    run_plain(engine_, "bulk_copy", GetParam().tile, call);
    const auto found = c.to_host();
    const auto is_outside = [&](std::size_t at) {
      const std::size_t row = at / c_columns, column = at % c_columns;
      return row == 0 || column < first || column >= first + mapped.n;
    };
    for (std::size_t at = 0; at < found.size(); at++) {
      if (is_outside(at)) {
        ASSERT_EQ(found[at], T(3)) << "outside of C, at " << at;
      }
    }
    for (std::size_t i = 0; i < mapped.m; i++) {
      for (std::size_t j = 0; j < mapped.n; j++) {
        T sum = 0;
        for (std::size_t p = 0; p < mapped.k; p++) {
          const std::size_t a_at = transpose_a ? p * (a_columns + more) + first + i
                                               : i * (a_columns + more) + first + p,
                            b_at = transpose_b ? j * (b_columns + more) + first + p
                                               : p * (b_columns + more) + first + j;
          sum += as_read(op_a, a_values[a_at]) * as_read(op_b, b_values[b_at]);
        }
        ASSERT_EQ(found[(i + 1) * c_columns + first + j], alpha * sum + beta * T(3))
            << i << ", " << j;
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

using ComplexMappedTest = MappedTest;

TEST_P(ComplexMappedTest, IsRight) {
  using Complex = std::complex<float>;
  run_with<Complex>({70, 67, 21}, 1, 0);
  run_with<Complex>({64, 64, 64, 2, 2}, {2, -1}, {1, 3});
  run_with<Complex>({65, 33, 67, 5, 1}, {0, 1}, 1);
  run_with<Complex>({5, 3, 500}, 2, {0, 1});
  run_with<Complex>({1, 5, 1}, 1, 0);
  run_with<Complex>({5, 7, 0}, 1, {0, 2});
}

// Small tiles of floats, which PoCL compiles in seconds.
const Parameters kSmall{{"TILE_M", 64}, {"TILE_N", 64}, {"WORK_M", 4},
                        {"WORK_N", 8},  {"TILE_K", 8},  {"STAGES", 2}},
    kDeep{{"TILE_M", 32}, {"TILE_N", 64}, {"WORK_M", 4},
          {"WORK_N", 8},  {"TILE_K", 16}, {"STAGES", 3}},
    kDeepest{{"TILE_M", 32}, {"TILE_N", 64}, {"WORK_M", 4},
             {"WORK_N", 8},  {"TILE_K", 32}, {"STAGES", 3}};  // without transposes

constexpr Op kNone = Op::none, kTransposed = Op::transpose, kAdjoint = Op::conjugate_transpose;

INSTANTIATE_TEST_SUITE_P(
    Tiles, MappedTest,
    testing::Values(TileInOrder{kSmall}, TileInOrder{kSmall, kNone, kTransposed},
                    TileInOrder{kSmall, kTransposed}, TileInOrder{kSmall, kTransposed, kTransposed},
                    TileInOrder{kDeep, kNone, kTransposed}, TileInOrder{kDeepest, kTransposed}));

INSTANTIATE_TEST_SUITE_P(Tiles, ComplexMappedTest,
                         testing::Values(TileInOrder{kSmall}, TileInOrder{kDeep},
                                         TileInOrder{kSmall, kTransposed, kNone},
                                         TileInOrder{kSmall, kNone, kTransposed},
                                         TileInOrder{kSmall, kAdjoint, kNone},
                                         TileInOrder{kSmall, kTransposed, kAdjoint},
                                         TileInOrder{kSmall, kAdjoint, kAdjoint}));

}  // namespace
}  // namespace tessera::test
