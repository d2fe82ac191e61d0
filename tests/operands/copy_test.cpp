// copy_into: blocks of every type, order among streams, and what is refused.
#include <gtest/gtest.h>

#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"

namespace tessera::test {
namespace {

template <class T>
class CopyOfTest : public testing::Test {};
using CopiedTypes = testing::Types<float, double, std::int32_t, half, std::int8_t, bfloat16,
                                   std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CopyOfTest, CopiedTypes);

TYPED_TEST(CopyOfTest, ABlockGetsTheElementsAndNothingElseChanges) {
  if (element_size(kElementType<TypeParam>) % sizeof(double) == 0 && !engine().device().has_double)
    GTEST_SKIP() << "the device has no double";
  const auto number = [](int value) { return static_cast<TypeParam>(static_cast<float>(value)); };
  Matrix<TypeParam> c(engine(), 4, 5, std::vector<TypeParam>(20, number(1)));
  const Matrix<TypeParam> d(engine(), 3, 3,
                            {number(2), number(3), number(4), number(5), number(6), number(7),
                             number(8), number(9), number(10)});
  copy_into(c.block(1, 2, 2, 3), d.block(1, 0, 2, 3));
  std::vector<TypeParam> expected(20, number(1));
  for (int i = 0; i < 6; i++)
    expected[static_cast<std::size_t>(7 + i / 3 * 5 + i % 3)] = number(5 + i);
  EXPECT_EQ(c.to_host(), expected);
  copy_into(c.block(0, 0, 3, 3), d);
  EXPECT_EQ(c.block(0, 0, 3, 3).to_host(), d.to_host());
}

TEST(CopyTest, BlocksOfOneMatrixSideBySide) {
  Matrix<float> a(engine(), {{1, 2, 3, 4}, {5, 6, 7, 8}});
  copy_into(a.block(0, 2, 2, 2), a.block(0, 0, 2, 2));
  EXPECT_EQ(a.to_host(), (std::vector<float>{1, 2, 1, 2, 5, 6, 5, 6}));
  copy_into(a.block(0, 0, 1, 4), a.block(1, 0, 1, 4));
  EXPECT_EQ(a.to_host(), (std::vector<float>{5, 6, 5, 6, 5, 6, 5, 6}));
}

TEST(CopyTest, WithoutElementsItDoesNothing) {
  Matrix<float> a(engine(), {{1, 2}});
  copy_into(a.block(0, 0, 0, 2), Matrix<float>(engine(), 0, 2));
  copy_into(a.block(0, 1, 1, 0), Matrix<float>(engine(), 1, 0));
  EXPECT_EQ(a.to_host(), (std::vector<float>{1, 2}));
}

TEST(CopyTest, StandsInOrderWithOtherStreamsAndWaits) {
  const Stream two = engine().new_stream();
  const Matrix<float> a(engine(), 64, 64, std::vector<float>(4096, 1));
  Matrix<float> c(engine(), 64, 64);
  const auto product = multiply(a, a);
  const Event copied = copy_into(c, product, {.wait_for = {product.ran.finished}, .stream = two});
  EXPECT_EQ(multiply(c, c).to_host(), std::vector<float>(4096, 64.0f * 64 * 64));
  copied.wait();
  EXPECT_TRUE(copied.complete());
}

TEST(CopyTest, RefusesWhatDoesNotFit) {
  Matrix<float> a(engine(), {{1, 2}, {3, 4}});
  EXPECT_EQ(message_of([&] { copy_into(a, Matrix<float>(engine(), 2, 3)); }),
            "copy_into: from is 2 x 3 and to is 2 x 2; expected the same shape");
  EXPECT_EQ(message_of([&] { copy_into(a.block(0, 0, 1, 2), a.block(0, 0, 1, 2)); }),
            "copy_into: to and from have elements in common");
  EXPECT_THROW(copy_into(a, Matrix<float>(engine(), 2, 2).transposed()), MatrixError);
  EXPECT_EQ(message_of([&] { copy_into(a, Matrix<float>(engine(), 2, 2), {.kernel = {"naive"}}); }),
            "copy_into: a kernel was named; copies have none");
  const Engine other(EngineOptions{.device = engine().device().selector});
  EXPECT_THROW(copy_into(a, Matrix<float>(other, 2, 2)), ArgumentError);
  Matrix<float> gone(engine(), 2, 2);
  const Matrix<float> moved = std::move(gone);
  EXPECT_EQ(message_of([&] { copy_into(gone, Matrix<float>(engine(), 0, 0)); }),
            "copy_into: to has no memory: it is default-constructed or was moved from");
  EXPECT_EQ(a.to_host(), (std::vector<float>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace tessera::test
