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
using Types = testing::Types<float, double, std::int32_t, half, std::int8_t, bfloat16>;
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

TEST(MatrixTest, ATransposedViewShowsTheElementsInTheOtherOrder) {
  const Matrix<float> a(engine(), {{1, 2, 3}, {4, 5, 6}});
  const auto transposed = a.transposed();
  const std::vector<float> columns = {1, 4, 2, 5, 3, 6};
  EXPECT_EQ(transposed.rows(), 3u);
  EXPECT_EQ(transposed.columns(), 2u);
  EXPECT_EQ(transposed.op(), Op::transpose);
  EXPECT_EQ(transposed.to_host(), columns);
  EXPECT_EQ(transposed.block(1, 1, 2, 1).to_host(), (std::vector<float>{5, 6}));
  EXPECT_EQ(transposed.transposed().to_host(), a.to_host());
  EXPECT_EQ(transposed.transposed().op(), Op::none);
  EXPECT_EQ(a.adjoint().to_host(), columns);
  EXPECT_EQ(a.adjoint().transposed().to_host(), a.to_host());
  const Matrix<float> copy(transposed);
  EXPECT_EQ(copy.view().op(), Op::none);
  EXPECT_EQ(copy.leading_dimension(), 2u);
  EXPECT_EQ(copy.to_host(), columns);
  EXPECT_EQ(transposed.copy_to(Engine()).to_host(), columns);
  EXPECT_THROW(transposed.block(0, 2, 1, 1), MatrixError);
  std::vector<float> elements(6);
  EXPECT_THROW(transposed.to_host_async(elements), MatrixError);
}

TEST(MatrixTest, ALargeTransposedBlockIsReadWhole) {
  constexpr std::size_t rows = 130, columns = 70;
  const Matrix<float> a(engine(), rows, columns, counting(rows * columns));
  const auto found = a.block(3, 5, 101, 65).transposed().to_host();
  for (std::size_t i = 0; i < 101; i++) {
    for (std::size_t j = 0; j < 65; j++)
      ASSERT_EQ(found[j * 101 + i], static_cast<float>((i + 3) * columns + j + 5));
  }
}

TEST(MatrixTest, ABlockKeepsItsMemoryAlive) {
  auto block = Matrix<float>(engine(), 3, 3, counting(9)).block(1, 1, 2, 2);
  EXPECT_EQ(block.to_host(), (std::vector<float>{4, 5, 7, 8}));
}

TEST(MatrixTest, EmptyShapesAreMatrices) {
  for (const auto& [rows, columns] : {std::pair{0u, 0u}, {0u, 5u}, {5u, 0u}}) {
    Matrix<float> a(engine(), rows, columns);
    EXPECT_TRUE(a.to_host().empty());
    EXPECT_NO_THROW(a.upload(std::vector<float>()));
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
  EXPECT_FALSE((kIsMadeOf<Matrix<float>, detail::Operand>));
  EXPECT_FALSE((kIsMadeOf<MatrixView<float>, detail::Operand>));
  EXPECT_FALSE((kIsMadeOf<ConstMatrixView<float>, detail::Operand>));
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

TEST(MatrixTest, ADefaultConstructedOneWaitsForItsValue) {
  Matrix<float> member;
  EXPECT_EQ(member.rows() * member.columns(), 0u);
  EXPECT_TRUE(member.to_host().empty());
  EXPECT_EQ(Matrix<float>(member).rows(), 0u);
  EXPECT_THROW(member.stream(), MatrixError);
  const Matrix<float> a(engine(), {{1, 2}});
  EXPECT_THROW(multiply(member, a), MatrixError);
  EXPECT_THROW(multiply_into(member, a, a.transposed()), MatrixError);
  EXPECT_THROW(add(member, a), MatrixError);
  EXPECT_THROW(row_sums(member), MatrixError);
  EXPECT_THROW(fill(member, 1), MatrixError);
  EXPECT_THROW(dominant_eigenpair(member), MatrixError);
  member = a;
  EXPECT_EQ(member.to_host(), a.to_host());
}

TEST(MatrixTest, ATransposedViewIsTheTranspose) {
  const Matrix<std::int8_t> a(engine(), {{1, 2, 3}, {4, 5, 6}});
  const auto t = a.transposed();
  EXPECT_EQ(t.rows(), 3u);
  EXPECT_EQ(t.columns(), 2u);
  EXPECT_EQ(t.op(), Op::transpose);
  EXPECT_EQ(t.to_host(), (std::vector<std::int8_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(t.block(1, 0, 2, 1).to_host(), (std::vector<std::int8_t>{2, 3}));
  EXPECT_EQ(t.block(1, 0, 2, 2).transposed().to_host(), (std::vector<std::int8_t>{2, 3, 5, 6}));
  EXPECT_EQ(a.adjoint().transposed().to_host(), a.to_host());
  EXPECT_EQ(Matrix<std::int8_t>(t).to_host(), t.to_host());
  EXPECT_THROW(t.block(0, 0, 2, 3), MatrixError);
}

TEST(MatrixTest, ALargeTransposeIsTheTranspose) {
  std::vector<double> elements(70 * 133);
  std::iota(elements.begin(), elements.end(), 0);
  const Matrix<double> a(engine(), 70, 133, elements);
  const auto t = a.transposed().copy_to(engine());
  const auto back = t.transposed().to_host();
  EXPECT_EQ(back, elements);
  EXPECT_EQ(t.to_host()[69], 69 * 133);
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
