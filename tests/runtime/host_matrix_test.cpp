// Matrices in pinned memory, and copies that nothing waits for.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tessera/tessera.hpp>
#include <utility>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

template <class T>
class HostMatrixOfTest : public testing::Test {};
using Types = testing::Types<float, double, std::int32_t, half, std::int8_t, bfloat16>;
TYPED_TEST_SUITE(HostMatrixOfTest, Types);

TYPED_TEST(HostMatrixOfTest, IsFilledAndReadInPlace) {
  if (std::is_same_v<TypeParam, double> && !engine().device().has_double)
    GTEST_SKIP() << "the device has no double";
  HostMatrix<TypeParam> in(engine(), 7, 5), out(engine(), 3, 2);
  for (std::size_t i = 0; i < 7; i++) {
    for (std::size_t j = 0; j < 5; j++) in(i, j) = static_cast<TypeParam>(float(10 * i + j));
  }
  Matrix<TypeParam> a(engine(), 7, 5);
  const Event uploaded = a.upload_async(in.elements());
  const Event read = a.block(2, 1, 3, 2).to_host_async(out.elements());
  uploaded.wait();
  read.wait();
  EXPECT_TRUE(read.complete());
  for (std::size_t i = 0; i < 3; i++) {
    for (std::size_t j = 0; j < 2; j++) EXPECT_EQ(out(i, j), in(i + 2, j + 1));
  }
  EXPECT_EQ(a.to_host(), std::vector<TypeParam>(in.elements().begin(), in.elements().end()));
}

TEST(HostMatrixTest, OtherCommandsWaitForItsCopies) {
  HostMatrix<float> in(engine(), 4, 4), out(engine(), 4, 4);
  std::ranges::fill(in.elements(), 2.0f);
  Matrix<float> a(engine(), 4, 4);
  const Stream two = engine().new_stream();
  const Event uploaded = a.upload_async(in.elements());
  const auto c = multiply(a, a, {.wait_for = {uploaded}, .stream = two});
  const Event read = c.to_host_async(out.elements());
  engine().finish();
  for (const Stream& stream : {engine().stream(), two}) {
    stream.wait_for({read});
    EXPECT_EQ(multiply(a, a, {.wait_for = {read, uploaded}, .stream = stream}).to_host(),
              std::vector<float>(16, 16));
    stream.finish();
  }
  const Event copy = read;
  copy.wait();
  read.wait();
  EXPECT_TRUE(copy.complete());
  EXPECT_TRUE(std::ranges::equal(out.elements(), std::vector<float>(16, 16)));
}

TEST(HostMatrixTest, ServesMatricesOfAnotherEngine) {
  HostMatrix<float> numbers(engine(), 100, 100);
  std::iota(numbers.elements().begin(), numbers.elements().end(), 0.0f);
  const std::vector<float> before(numbers.elements().begin(), numbers.elements().end());
  const Engine other(EngineOptions{.device = engine().device().selector});
  Matrix<float> a(other, 100, 100);
  const Event uploaded = a.upload_async(numbers.elements());
  uploaded.wait();
  std::ranges::fill(numbers.elements(), -1.0f);
  a.to_host_async(numbers.elements()).wait();
  EXPECT_TRUE(std::ranges::equal(numbers.elements(), before));
}

TEST(HostMatrixTest, IsAnyHostMemoryToCopiesThatWait) {
  HostMatrix<float> numbers(engine(), 1200, 1000);  // more than one staging slot holds
  std::iota(numbers.elements().begin(), numbers.elements().end(), 0.0f);
  Matrix<float> a(engine(), 1200, 1000);
  a.upload(numbers.elements());
  std::ranges::fill(numbers.elements(), -1.0f);
  a.to_host(numbers.elements());
  EXPECT_EQ(numbers(0, 0), 0);
  EXPECT_EQ(numbers(1199, 999), 1200 * 1000 - 1);
}

TEST(HostMatrixTest, MovesAndKeepsWhatItNeeds) {
  std::optional<Engine> other(std::in_place);
  HostMatrix<float> a(*other, 2, 3);
  other.reset();
  std::ranges::fill(a.elements(), 4.0f);
  HostMatrix<float> b(std::move(a));
  EXPECT_EQ(a.rows(), 0u);  // NOLINT: that is what is promised
  EXPECT_EQ(a.columns(), 0u);
  EXPECT_TRUE(a.elements().empty());
  EXPECT_EQ(b(1, 2), 4);
  HostMatrix<float> c(engine(), 5, 5);
  c = std::move(b);
  EXPECT_EQ(c.rows(), 2u);
  EXPECT_EQ(c.columns(), 3u);
  EXPECT_EQ(std::as_const(c)(0, 1), 4);
  EXPECT_EQ(std::as_const(c).elements().size(), 6u);
}

TEST(HostMatrixTest, EmptyOnesHoldNothing) {
  HostMatrix<float> a(engine(), 0, 5), b(engine(), 5, 0);
  EXPECT_TRUE(a.elements().empty());
  EXPECT_EQ(b.rows(), 5u);
  const Matrix<float> nothing(engine(), 0, 5);
  EXPECT_TRUE(nothing.to_host_async(a.elements()).complete());
}

TEST(HostMatrixTest, RefusesWhatCannotBe) {
  const std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_THROW(HostMatrix<float>(engine(), huge, 3), MatrixError);
  EXPECT_THROW(HostMatrix<float>(engine(), std::size_t{1} << 40, 1 << 10), OpenClError);
  Matrix<float> a(engine(), 2, 2);
  HostMatrix<float> other(engine(), 2, 3);
  EXPECT_THROW(a.upload_async(other.elements()), MatrixError);
  EXPECT_THROW(a.to_host_async(other.elements()), MatrixError);
}

}  // namespace
}  // namespace tessera::test
