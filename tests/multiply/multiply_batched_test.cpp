// multiply_batched: how batches are laid out, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"

namespace tessera::test {
namespace {

TEST(MultiplyBatchedTest, MultipliesBlocksOneBelowTheOther) {
  const Matrix<float> a(engine(), {{1, 2}, {3, 4}, {5, 6}, {7, 8}}),
      b(engine(), {{1}, {1}, {2}, {0}});
  const auto c = multiply_batched(batch_of(a, 2), batch_of(b, 2));
  EXPECT_EQ(c.to_host(), (std::vector<float>{3, 7, 10, 14}));
  EXPECT_EQ(c.rows(), 4U);
  EXPECT_EQ(c.ran.operation(), "multiply");
}

TEST(MultiplyBatchedTest, RepeatsAnOperandAndTakesAnyStride) {
  const Matrix<double> a(engine(), {{1, 2, 3, 4}, {5, 6, 7, 8}});
  const Matrix<double> b(engine(), {{1, 0}, {0, 2}});
  // Two blocks beside each other.
  const ConstBatchView<double> blocks{a.block(0, 0, 2, 2), 2, 2};
  Matrix<double> c(engine(), 4, 2);
  multiply_batched_into(batch_of(c, 2), blocks, repeated(b, 2));
  EXPECT_EQ(c.to_host(), (std::vector<double>{1, 4, 5, 12, 3, 8, 7, 16}));
}

TEST(MultiplyBatchedTest, TakesTransposes) {
  const Matrix<float> a(engine(), {{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  Matrix<float> b(engine(), {{0, 1}, {2, 0}});
  const auto c = multiply_batched(batch_of(a, 2).transposed(), repeated(b.transposed(), 2));
  EXPECT_EQ(c.to_host(), (std::vector<float>{3, 2, 4, 4, 7, 10, 8, 12}));
  const auto adjoint = multiply_batched(batch_of(a, 2).adjoint(), repeated(b, 2).adjoint());
  EXPECT_EQ(adjoint.to_host(), c.to_host());
  EXPECT_THROW(batch_of(a.transposed(), 2), MatrixError);
}

TEST(MultiplyBatchedTest, AnEmptyBatchIsNoWork) {
  const Matrix<float> none(engine(), 0, 3);
  const auto c = multiply_batched(batch_of(none, 0), batch_of(none, 0));
  EXPECT_EQ(c.rows(), 0U);
  EXPECT_EQ(c.ran.variant(), "");
}

/// Whatever a batch is made of, its element type is deduced.
TEST(MultiplyBatchedTest, IsDeducedFromMatricesAndViews) {
  Matrix<float> a(engine(), {{1, 2}, {3, 4}, {5, 6}, {7, 8}}), b(engine(), {{0, 1}, {1, 0}});
  const Matrix<float>&constant_a = a, &constant_b = b;
  const std::vector<float> swapped = {2, 1, 4, 3, 6, 5, 8, 7};
  const auto expect_swapped = [&](const auto& left, const auto& right) {
    EXPECT_EQ(multiply_batched(left, right).to_host(), swapped);
    Matrix<float> c(engine(), 4, 2);
    multiply_batched_into(batch_of(c, 2), left, right);
    EXPECT_EQ(c.to_host(), swapped);
    multiply_batched_into(batch_of(c.view(), 2), left, right, {.alpha = 2, .beta = -1});
    EXPECT_EQ(c.to_host(), swapped);
  };
  const auto expect_from = [&](const auto& left) {
    expect_swapped(left, repeated(b, 2));
    expect_swapped(left, repeated(constant_b, 2));
    expect_swapped(left, repeated(b.view(), 2));
    expect_swapped(left, repeated(constant_b.view(), 2));
    Matrix<float> stacked(engine(), {{0, 1}, {1, 0}, {0, 1}, {1, 0}});
    expect_swapped(left, batch_of(stacked, 2));
  };
  expect_from(batch_of(a, 2));
  expect_from(batch_of(constant_a, 2));
  expect_from(batch_of(a.view(), 2));
  expect_from(batch_of(constant_a.view(), 2));
  expect_from(batch_of(a * b * b, 2));
}

TEST(MultiplyBatchedTest, AnEmptyBatchSharesNothing) {
  Matrix<float> all(engine(), {{1, 2}, {3, 4}});
  const BatchView<float> none{all.view(), 0, 0};
  multiply_batched_into(none, none, none);
  EXPECT_EQ(all.to_host(), (std::vector<float>{1, 2, 3, 4}));
}

TEST(MultiplyBatchedTest, RefusesMatricesBeyondTheMemory) {
  const Matrix<float> a(engine(), 4, 2), b(engine(), 2, 2);
  Matrix<float> c(engine(), 6, 2);
  const auto run = [&](std::size_t c_stride, std::size_t a_stride) {
    multiply_batched_into(BatchView<float>{c.block(0, 0, 2, 2), 3, c_stride},
                          ConstBatchView<float>{a.block(0, 0, 2, 2), 3, a_stride}, repeated(b, 3));
  };
  run(4, 2);
  EXPECT_EQ(message_of([&] { run(4, 10000); }),
            "multiply: 3 matrices 10000 elements apart are not all inside the memory of a");
  EXPECT_EQ(message_of([&] { run(10000, 2); }),
            "multiply: 3 matrices 10000 elements apart are not all inside the memory of c");
  EXPECT_THROW(run(~std::size_t{0}, 2), MatrixError);
}

TEST(MultiplyBatchedTest, RefusesAnOutputWhoseMatricesOverlap) {
  const Matrix<float> a(engine(), {{1, 2}, {3, 4}});
  Matrix<float> c(engine(), 2, 6);
  const auto run = [&](std::size_t stride) {
    multiply_batched_into<float>({c.block(0, 0, 2, 2), 3, stride}, repeated(a, 3), repeated(a, 3));
  };
  for (const std::size_t stride : {0, 1})
    EXPECT_EQ(message_of([&] { run(stride); }),
              "multiply: the matrices of c have elements in common");
  run(2);
  EXPECT_EQ(c.to_host(), (std::vector<float>{7, 10, 7, 10, 7, 10, 15, 22, 15, 22, 15, 22}));
}

/// Its matrices are a's neighbours, row by row, and have no element in common with them.
TEST(MultiplyBatchedTest, RefusesAnOutputThatLiesBesideAnInput) {
  Matrix<float> all(engine(), 2, 6);
  const Matrix<float> b(engine(), {{1, 2}, {3, 4}});
  const BatchView<float> c{all.block(0, 2, 2, 2), 2, 2};
  const auto a = repeated(all.block(0, 0, 2, 2), 2);
  EXPECT_EQ(message_of([&] { multiply_batched_into(c, a, repeated(b, 2)); }),
            "multiply: c and a have elements in common, or one lies between the matrices of the "
            "other; expected all of a before or behind all of c");
}

TEST(MultiplyBatchedTest, RefusesWhatDoesNotFit) {
  const Matrix<float> a(engine(), 4, 2), b(engine(), 6, 3);
  EXPECT_EQ(message_of([&] { batch_of(a, 3); }),
            "batch_of: cannot split 4 rows into 3 equal blocks");
  EXPECT_EQ(message_of([&] { batch_of(a, 0); }),
            "batch_of: cannot split 4 rows into 0 equal blocks");
  EXPECT_EQ(message_of([&] { multiply_batched(batch_of(a, 2), batch_of(b, 3)); }),
            "multiply: a has 2 matrices, b has 3 and c has 2");
  Matrix<float> c(engine(), 4, 4);
  EXPECT_EQ(
      message_of([&] { multiply_batched_into(batch_of(c, 2), batch_of(a, 2), batch_of(b, 3)); }),
      "multiply: a has 2 matrices, b has 3 and c has 2");
  EXPECT_EQ(
      message_of([&] { multiply_batched_into(batch_of(c, 2), batch_of(a, 2), batch_of(a, 2)); }),
      "multiply: the product is 2 x 2 and c is 2 x 4");
  // The second product of c overlaps a.
  Matrix<float> all(engine(), 4, 2);
  const BatchView<float> output{all.block(0, 0, 2, 2), 2, 4};
  EXPECT_EQ(message_of([&] {
              multiply_batched_into(output, repeated(all.block(2, 0, 2, 2), 2), batch_of(a, 2));
            }),
            "multiply: c and a have elements in common");
  EXPECT_THROW(multiply_batched<float>(batch_of(a, 2), batch_of(a, 2), {.beta = 1}), ArgumentError);
}

}  // namespace
}  // namespace tessera::test
