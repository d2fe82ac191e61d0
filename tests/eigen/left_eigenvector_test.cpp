// Eigenpairs of the transpose: bitwise equal to the eigenpairs of a transposed copy.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"
#include "support/transposed_if.hpp"

namespace tessera::test {
namespace {

template <class T>
std::vector<T> transposed(const std::vector<T>& elements, std::size_t n) {
  std::vector<T> result(n * n);
  for (std::size_t i = 0; i < n * n; i++) result[i % n * n + i / n] = elements[i];
  return result;
}

template <class T>
std::vector<T> positive(std::size_t n) {
  std::vector<T> elements(n * n);
  for (std::size_t i = 0; i < n * n; i++)
    elements[i] = static_cast<T>((i * 2654435761U >> 7) % 1000 + 1) / 1000;
  return elements;
}

template <class T>
class LeftEigenvectorTest : public testing::Test {};

using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(LeftEigenvectorTest, Reals);

template <class T>
void expect_same(const EigenPair<T>& left, const EigenPair<T>& right) {
  EXPECT_EQ(left.lower, right.lower);
  EXPECT_EQ(left.upper, right.upper);
  EXPECT_EQ(left.vector.to_host(), right.vector.to_host());
  EXPECT_EQ(left.structure.kind, right.structure.kind);
  EXPECT_EQ(left.converged, right.converged);
}

TYPED_TEST(LeftEigenvectorTest, IsThatOfATransposedCopy) {
  for (const std::size_t n : {1U, 2U, 16U, 17U, 131U}) {
    const auto elements = positive<TypeParam>(n);
    const Matrix<TypeParam> a(engine(), n, n, elements),
        copy(engine(), n, n, transposed(elements, n));
    for (const EigenMethod method : {EigenMethod::implicit, EigenMethod::explicit_steps}) {
      expect_same(dominant_eigenpair(a.transposed(), {.method = method}),
                  dominant_eigenpair(copy, {.method = method}));
    }
  }
}

TYPED_TEST(LeftEigenvectorTest, OfABlockOfAMatrix) {
  constexpr std::size_t n = 33, wide = 40;
  const auto elements = positive<TypeParam>(wide);
  std::vector<TypeParam> block;
  for (std::size_t i = 3; i < 3 + n; i++)
    block.insert(block.end(), elements.begin() + static_cast<std::ptrdiff_t>(i * wide + 5),
                 elements.begin() + static_cast<std::ptrdiff_t>(i * wide + 5 + n));
  const Matrix<TypeParam> a(engine(), wide, wide, elements),
      copy(engine(), n, n, transposed(block, n));
  expect_same(dominant_eigenpair(a.block(3, 5, n, n).transposed()), dominant_eigenpair(copy));
}

TYPED_TEST(LeftEigenvectorTest, WhereRoundsDoNotConverge) {
  const std::vector<TypeParam> periodic = {0, 2, 0, 0, 0, 3, 5, 0, 0},
                               reducible = {2, 1, 0, 0, 3, 1, 0, 0, 1};
  for (const auto& elements : {periodic, reducible}) {
    const Matrix<TypeParam> a(engine(), 3, 3, elements),
        copy(engine(), 3, 3, transposed(elements, 3));
    const auto left = dominant_eigenpair(a.transposed());
    EXPECT_TRUE(left.converged);
    expect_same(left, dominant_eigenpair(copy));
  }
}

TEST(LeftEigenvectorErrorTest, NamesElementsOfTheView) {
  const Matrix<float> a(engine(), {{1, 2}, {-3, 4}});
  for (const bool transpose : {false, true}) {
    const std::string text = message_of([&] { dominant_eigenpair(transposed_if(transpose, a)); });
    EXPECT_NE(text.find(transpose ? "element (0, 1) is -3" : "element (1, 0) is -3"),
              std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace tessera::test
