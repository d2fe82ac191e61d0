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
  multiply_batched_into(batch_of(c, 2), blocks, repeated<double>(b, 2));
  EXPECT_EQ(c.to_host(), (std::vector<double>{1, 4, 5, 12, 3, 8, 7, 16}));
}

TEST(MultiplyBatchedTest, AnEmptyBatchIsNoWork) {
  const Matrix<float> none(engine(), 0, 3);
  const auto c = multiply_batched(batch_of(none, 0), batch_of(none, 0));
  EXPECT_EQ(c.rows(), 0U);
  EXPECT_EQ(c.ran.variant(), "");
}

TEST(MultiplyBatchedTest, RefusesWhatDoesNotFit) {
  const Matrix<float> a(engine(), 4, 2), b(engine(), 6, 3);
  EXPECT_EQ(message_of([&] { batch_of(a, 3); }), "batch_of: 4 rows are not 3 equal blocks");
  EXPECT_EQ(message_of([&] { batch_of(a, 0); }), "batch_of: 4 rows are not 0 equal blocks");
  EXPECT_EQ(message_of([&] { multiply_batched(batch_of(a, 2), batch_of(b, 3)); }),
            "multiply: a has 2 matrices, b has 3 and c has 2");
  Matrix<float> c(engine(), 4, 4);
  EXPECT_EQ(
      message_of([&] { multiply_batched_into(batch_of(c, 2), batch_of(a, 2), batch_of(b, 3)); }),
      "multiply: a has 2 matrices, b has 3 and c has 2");
  EXPECT_EQ(
      message_of([&] { multiply_batched_into(batch_of(c, 2), batch_of(a, 2), batch_of(a, 2)); }),
      "multiply: the product is 2 x 2 and c is 2 x 4");
  // The second product of c lies in a's.
  Matrix<float> all(engine(), 4, 2);
  const BatchView<float> output{all.block(0, 0, 2, 2), 2, 4};
  EXPECT_EQ(message_of([&] {
              multiply_batched_into<float>(output, repeated<float>(all.block(2, 0, 2, 2), 2),
                                           batch_of(a, 2));
            }),
            "multiply: c and a have elements in common");
  EXPECT_THROW(multiply_batched<float>(batch_of(a, 2), batch_of(a, 2), {.beta = 1}), MatrixError);
}

}  // namespace
}  // namespace tessera::test
