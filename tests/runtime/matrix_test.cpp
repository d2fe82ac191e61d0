// Matrices and views: content, shapes, copies, limits.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <numeric>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <type_traits>
#include <vector>

#include "support/device.hpp"
#include "support/eventually.hpp"

namespace tessera::test {
namespace {

// Assigning to a temporary view would change no element: it does not compile.
template <class View, class From>
constexpr bool kAssignable = std::is_assignable_v<View&, From>;
template <class View, class From>
constexpr bool kTemporaryAssignable = std::is_assignable_v<View, From>;
static_assert(kAssignable<MatrixView<float>, Matrix<float>&> &&
              kAssignable<MatrixView<float>, MatrixView<float>> &&
              kAssignable<ConstMatrixView<float>, const Matrix<float>&>);
static_assert(!kTemporaryAssignable<MatrixView<float>, Matrix<float>&> &&
              !kTemporaryAssignable<MatrixView<float>, const MatrixView<float>&> &&
              !kTemporaryAssignable<MatrixView<float>, MatrixView<float>> &&
              !kTemporaryAssignable<ConstMatrixView<float>, const Matrix<float>&> &&
              !kTemporaryAssignable<ConstMatrixView<float>, MatrixView<float>>);

std::vector<float> counting(std::size_t count) {
  std::vector<float> elements(count);
  std::iota(elements.begin(), elements.end(), 0.0f);
  return elements;
}

template <class T>
class MatrixOfTest : public testing::Test {};
using Types = testing::Types<float, double, std::int32_t, half, std::int8_t>;
TYPED_TEST_SUITE(MatrixOfTest, Types);

TYPED_TEST(MatrixOfTest, HoldsWhatItWasGiven) {
  if (std::is_same_v<TypeParam, double> && !engine().device().has_double)
    GTEST_SKIP() << "the device has no double";
  std::vector<TypeParam> elements(7 * 5);
  for (std::size_t i = 0; i < elements.size(); i++)
    elements[i] = static_cast<TypeParam>(static_cast<float>(i) - 9);
  const Matrix<TypeParam> matrix(engine(), 7, 5, elements);
  EXPECT_EQ(matrix.rows(), 7u);
  EXPECT_EQ(matrix.columns(), 5u);
  EXPECT_EQ(matrix.leading_dimension(), 5u);
  EXPECT_EQ(matrix.to_host(), elements);
  EXPECT_EQ(matrix.block(2, 1, 1, 2).to_host(),
            (std::vector<TypeParam>{elements[11], elements[12]}));
}

TEST(MatrixTest, IsMadeOfListsOfElementsOrOfRows) {
  const std::vector<float> elements = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(Matrix<float>(engine(), 2, 3, {1, 2, 3, 4, 5, 6}).to_host(), elements);
  EXPECT_EQ(Matrix<float>(engine(), 2, 3, elements).to_host(), elements);
  EXPECT_EQ(Matrix<float>(engine(), {{1, 2, 3}, {4, 5, 6}}).to_host(), elements);
  EXPECT_EQ(Matrix<half>(engine(), 1, 1, {half(1)}).to_host(), (std::vector<half>{half(1)}));
  EXPECT_EQ(Matrix<float>(engine(), 0, 3, {}).to_host(), std::vector<float>());
  EXPECT_THROW(Matrix<float>(engine(), 2, 3, {1, 2, 3}), MatrixError);
}

TEST(MatrixTest, AViewThatIsAssignedToShowsTheOther) {
  Matrix<float> a(engine(), {{1, 2}}), b(engine(), {{3, 4}});
  MatrixView<float> view = a;
  view = b;
  EXPECT_EQ(view.to_host(), (std::vector<float>{3, 4}));
  EXPECT_EQ(a.to_host(), (std::vector<float>{1, 2}));
}

TEST(MatrixTest, CopiesAreDeepAndMovesLeaveNothing) {
  Matrix<float> a(engine(), {{1, 2}, {3, 4}});
  Matrix<float> copy = a;
  copy.upload(std::vector<float>{5, 6, 7, 8});
  EXPECT_EQ(a.to_host(), (std::vector<float>{1, 2, 3, 4}));
  const Matrix<float> moved = std::move(a);
  EXPECT_EQ(moved.to_host(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(a.rows(), 0u);  // NOLINT: that is what is promised
  Matrix<float> copy_of_nothing = a;
  EXPECT_EQ(copy_of_nothing.columns(), 0u);
  copy = moved;
  EXPECT_EQ(copy.to_host(), moved.to_host());
}

TEST(MatrixTest, BlocksOfBlocksReadAndWriteTheRightElements) {
  Matrix<float> a(engine(), 6, 7, counting(42));
  auto block = a.block(1, 2, 4, 5).block(1, 1, 2, 3);
  EXPECT_EQ(block.leading_dimension(), 7u);
  EXPECT_EQ(block.to_host(), (std::vector<float>{17, 18, 19, 24, 25, 26}));
  block.upload(std::vector<float>{-1, -2, -3, -4, -5, -6});
  auto expected = counting(42);
  expected[17] = -1, expected[18] = -2, expected[19] = -3, expected[24] = -4, expected[25] = -5,
  expected[26] = -6;
  EXPECT_EQ(a.to_host(), expected);
  EXPECT_EQ(Matrix<float>(block).to_host(), block.to_host());
}

TEST(MatrixTest, ABlockKeepsItsMemoryAlive) {
  auto block = Matrix<float>(engine(), 3, 3, counting(9)).block(1, 1, 2, 2);
  EXPECT_EQ(block.to_host(), (std::vector<float>{4, 5, 7, 8}));
}

TEST(MatrixTest, EmptyShapesAreMatrices) {
  for (const auto& [rows, columns] : {std::pair{0u, 0u}, {0u, 5u}, {5u, 0u}}) {
    Matrix<float> a(engine(), rows, columns);
    EXPECT_TRUE(a.to_host().empty());
    EXPECT_NO_THROW(a.upload({}));
    EXPECT_EQ(Matrix<float>(a).rows(), rows);
    EXPECT_EQ(a.block(0, 0, 0, 0).rows(), 0u);
  }
}

TEST(MatrixTest, RefusesBlocksOutside) {
  Matrix<float> a(engine(), 3, 4);
  EXPECT_THROW(a.block(0, 0, 4, 4), MatrixError);
  EXPECT_THROW(a.block(3, 1, 1, 1), MatrixError);
  EXPECT_THROW(a.block(1, 2, 1, 3), MatrixError);
  EXPECT_THROW(a.block(1, 1, std::numeric_limits<std::size_t>::max(), 1), MatrixError);
  EXPECT_NO_THROW(a.block(3, 4, 0, 0));
}

TEST(MatrixTest, RefusesSpansOfOtherSizes) {
  EXPECT_THROW(Matrix<float>(engine(), 2, 2, counting(5)), MatrixError);
  Matrix<float> a(engine(), 2, 2);
  EXPECT_THROW(a.upload(counting(3)), MatrixError);
  EXPECT_THROW(Matrix<float>(engine(), {{1, 2}, {3}}), MatrixError);
}

TEST(MatrixTest, UploadsWithoutWaiting) {
  const auto elements = counting(1000);
  Matrix<float> a(engine(), 10, 100);
  const Event event = a.upload_async(elements);
  event.wait();
  EXPECT_TRUE(event.complete());
  EXPECT_EQ(a.to_host(), elements);
}

TEST(MatrixTest, MovesBetweenContexts) {
  const Engine other;
  const Matrix<float> a(engine(), 6, 7, counting(42));
  const auto there = a.block(1, 1, 3, 2).copy_to(other);
  EXPECT_EQ(there.to_host(), (std::vector<float>{8, 9, 15, 16, 22, 23}));
  EXPECT_EQ(a.copy_to(engine().new_stream()).to_host(), a.to_host());
}

template <class Handle, class State>
constexpr bool kIsMadeOf = std::is_constructible_v<Handle, State>;

TEST(MatrixTest, NoHandleCanBeMadeOfNothing) {
  EXPECT_FALSE((kIsMadeOf<Matrix<float>, MatrixLayout>));
  EXPECT_FALSE((kIsMadeOf<MatrixView<float>, MatrixLayout>));
  EXPECT_FALSE((kIsMadeOf<ConstMatrixView<float>, MatrixLayout>));
  EXPECT_FALSE((kIsMadeOf<Stream, std::shared_ptr<runtime::Stream>>));
  EXPECT_FALSE((kIsMadeOf<Engine, std::shared_ptr<runtime::Context>>));
}

TEST(MatrixTest, IsEmptyWhenItWasMovedFrom) {
  Matrix<float> a(engine(), 6, 7, counting(42));
  const Matrix<float> b = std::move(a);
  EXPECT_EQ(a.rows() * a.columns(), 0u);
  EXPECT_EQ(a.engine().device().name, engine().device().name);
  EXPECT_TRUE(a.to_host().empty());
  EXPECT_EQ(a.copy_to(engine()).rows(), 0u);
  EXPECT_EQ(Matrix<float>(a).columns(), 0u);
  EXPECT_EQ(Matrix<float>(a.view()).columns(), 0u);
  EXPECT_THROW(interop::buffer(a), MatrixError);
}

TEST(MatrixTest, AShapeThatOverflowsIsAnError) {
  const std::size_t huge = std::size_t{1} << 33;
  EXPECT_THROW(Matrix<float>(engine(), huge, huge), MatrixError);
  EXPECT_THROW(Matrix<double>(engine(), std::numeric_limits<std::size_t>::max(), 1), MatrixError);
}

TEST(MatrixTest, MoreThanTheDeviceHoldsIsAnErrorWithNumbers) {
  const DeviceInfo& device = engine().device();
  const auto live = engine().memory().live;
  const std::size_t rows = device.max_allocation / (1024 * sizeof(float)) + 1;
  try {
    const Matrix<float> a(engine(), rows, 1024);
    FAIL() << "nothing was thrown";
  } catch (const MemoryError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(std::to_string(rows) + " x 1024"), std::string::npos) << message;
    EXPECT_NE(message.find("GiB in one allocation"), std::string::npos) << message;
  }
  EXPECT_TRUE(eventually([&] { return engine().memory().live <= live; }));
}

}  // namespace
}  // namespace tessera::test
