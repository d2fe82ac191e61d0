// Sums of rows and columns: of blocks, scaled, added to the result's old elements.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

template <class T>
class SumsOfTest : public testing::Test {};
using SummedTypes = testing::Types<float, double, std::int32_t, half, bfloat16>;
TYPED_TEST_SUITE(SumsOfTest, SummedTypes);

TYPED_TEST(SumsOfTest, AreThoseOfTheRowsAndOfTheColumns) {
  using T = TypeParam;
  if (std::is_same_v<T, double> && !engine().device().has_double)
    GTEST_SKIP() << "the device has no double";
  const auto numbers = [](std::vector<float> all) {
    std::vector<T> made;
    for (const float number : all) made.push_back(static_cast<T>(number));
    return made;
  };
  const Matrix<T> a(engine(), 3, 4, numbers({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  const auto rows = row_sums(a), columns = column_sums(a);
  EXPECT_EQ(rows.rows(), 3u);
  EXPECT_EQ(rows.to_host(), numbers({10, 26, 42}));
  EXPECT_EQ(columns.rows(), 4u);
  EXPECT_EQ(columns.to_host(), numbers({15, 18, 21, 24}));
  const auto block = a.block(1, 1, 2, 2);
  EXPECT_EQ(row_sums(block).to_host(), numbers({13, 21}));
  EXPECT_EQ(column_sums(block).to_host(), numbers({16, 18}));
}

TEST(SumsTest, OfComplexElementsHaveBothParts) {
  using Complex = std::complex<float>;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Matrix<Complex> a(engine(), {{{1, 2}, {3, -4}, {5, 0}}, {{0, 7}, {-8, 9}, {10, 11}}});
  EXPECT_EQ(row_sums(a).to_host(), (std::vector<Complex>{{9, -2}, {2, 27}}));
  EXPECT_EQ(column_sums(a.conjugated()).to_host(),
            (std::vector<Complex>{{1, -9}, {-5, -5}, {15, -11}}));
  EXPECT_EQ(row_sums(a.block(0, 1, 2, 2).adjoint()).to_host(),
            (std::vector<Complex>{{-5, -5}, {15, -11}}));
  const Matrix<Complex> infinite(engine(), {{Complex(1, kInfinity)}});
  const Complex sum = row_sums(infinite).to_host()[0];
  EXPECT_TRUE(std::isnan(sum.real()));
  EXPECT_EQ(sum.imag(), kInfinity);
}

TEST(SumsTest, AreScaledAndAdded) {
  const Matrix<float> a(engine(), {{1, 2, 3}, {4, 5, 6}});
  Matrix<float> s(engine(), 2, 4, std::vector<float>(8, 1));
  const Stream two = engine().new_stream();
  row_sums_into(s.block(0, 3, 2, 1), a, {.alpha = 0.5f, .beta = 10, .stream = two});
  column_sums_into(s.block(1, 0, 1, 3), a, {.alpha = 0.5f, .stream = two});
  EXPECT_EQ(s.to_host(), (std::vector<float>{1, 1, 1, 13, 2.5f, 3.5f, 4.5f, 17.5f}));
}

TEST(SumsTest, OfNoElementsAreZero) {
  EXPECT_EQ(row_sums(Matrix<float>(engine(), 2, 0)).to_host(), (std::vector<float>{0, 0}));
  EXPECT_EQ(column_sums(Matrix<float>(engine(), 0, 2)).to_host(), (std::vector<float>{0, 0}));
  EXPECT_EQ(row_sums(Matrix<float>(engine(), 0, 3)).rows(), 0u);
}

TEST(SumsTest, RefuseAVectorOfAnotherLength) {
  const Matrix<float> a(engine(), 2, 3);
  Matrix<float> s(engine(), 3, 1);
  EXPECT_THROW(row_sums_into(s, a), MatrixError);
  EXPECT_NO_THROW(column_sums_into(s, a));
}

}  // namespace
}  // namespace tessera::test
