// matrix_vector: right in every layout and with every parameter, and what multiply hands to it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <tessera/check.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/message_of.hpp"
#include "support/share.hpp"
#include "support/transposed_if.hpp"
#include "support/type_name.hpp"

namespace tessera::test {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

struct Subject {
  const VariantInfo* variant;
  ProductTypes types;
};

class MatrixVectorVariantTest : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    const Verdict verdict = GetParam().variant->runs_on(engine(), GetParam().types);
    if (!verdict) GTEST_SKIP() << GetParam().variant->name() << ": " << verdict.reason;
  }
  void expect_right(Coverage coverage) const {
    const auto& [variant, types] = GetParam();
    const bool defaults = coverage == Coverage::defaults;
    const auto sets = variant->configurations(engine(), types, coverage);
    for (const Parameters& parameters : share_of(sets)) {
      for (const CheckCase& product : check_cases("matrix_vector", types, parameters, defaults)) {
        const auto result = check(engine(), product, {variant->name(), parameters});
        EXPECT_EQ(result.failure, "") << describe(product);
      }
    }
  }
};

TEST_P(MatrixVectorVariantTest, EveryOrderIsRightAtDefaults) { expect_right(Coverage::defaults); }

class MatrixVectorCandidateTest : public MatrixVectorVariantTest {};

TEST_P(MatrixVectorCandidateTest, IsRightOnEdgeCases) { expect_right(Coverage::every_candidate); }

std::vector<Subject> subjects(const std::vector<ProductTypes>& types) {
  std::vector<Subject> all;
  for (const VariantInfo& variant : info_of("matrix_vector").variants) {
    for (const ProductTypes& one : types) all.push_back({&variant, one});
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Subject>& test) {
  return test.param.variant->name() + "_" + type_name(test.param.types);
}

INSTANTIATE_TEST_SUITE_P(MatrixVector, MatrixVectorVariantTest,
                         testing::ValuesIn(subjects(info_of("matrix_vector").types)), name_of);
// What differs between types in a kernel, these show: half is widened as it is loaded, and a vector
// of complex elements has half as many as it has numbers.
INSTANTIATE_TEST_SUITE_P(MatrixVector, MatrixVectorCandidateTest,
                         testing::ValuesIn(subjects({ElementType::float32, ElementType::float16,
                                                     ElementType::bfloat16,
                                                     ElementType::complex64})),
                         name_of);

TEST(MatrixVectorTest, TakesColumnsRowsAndTransposes) {
  const Matrix<double> a(engine(), {{1, 2, 3}, {4, 5, 6}});
  const Matrix<double> column(engine(), {{1}, {10}, {100}}), row(engine(), {{1, 10}});
  EXPECT_EQ(matrix_vector(a, column).to_host(), (std::vector<double>{321, 654}));
  const auto product = matrix_vector(a.transposed(), row);
  EXPECT_EQ(product.to_host(), (std::vector<double>{41, 52, 63}));
  EXPECT_EQ(product.rows(), 3U);
  EXPECT_EQ(product.columns(), 1U);
  EXPECT_EQ(product.ran.operation(), "matrix_vector");
}

TEST(MatrixVectorTest, TakesVectorsThatAreColumnsAndRowsOfOneMatrix) {
  // a is the upper left 2 x 2 block, x the last column, y the last row.
  Matrix<std::int32_t> all(engine(), {{1, 2, 5}, {3, 4, 6}, {7, 8, 9}});
  matrix_vector_into(all.block(2, 0, 1, 2), all.block(0, 0, 2, 2), all.block(0, 2, 2, 1),
                     {.alpha = 2, .beta = -1});
  EXPECT_EQ(all.to_host(), (std::vector<std::int32_t>{1, 2, 5, 3, 4, 6, 27, 70, 9}));
}

TEST(MatrixVectorTest, WithoutProductsNothingIsRead) {
  const Matrix<float> a(engine(), {{kNotANumber, kNotANumber}}),
      x(engine(), {{kNotANumber}, {kNotANumber}});
  Matrix<float> y(engine(), {{3}});
  matrix_vector_into(y, a, x, {.alpha = 0, .beta = 2});
  EXPECT_EQ(y.to_host(), (std::vector<float>{6}));
  const Matrix<float> none(engine(), 1, 0), empty(engine(), 0, 1);
  matrix_vector_into(y, none, empty, {.alpha = kNotANumber, .beta = 2});
  EXPECT_EQ(y.to_host(), (std::vector<float>{12}));
  Matrix<float> nothing(engine(), 0, 1);
  const auto ran = matrix_vector_into(nothing, Matrix<float>(engine(), 0, 2), x);
  ran.finished.wait();
  EXPECT_EQ(ran.variant(), "");
}

TEST(MatrixVectorTest, WhatIsNotFiniteStaysInItsRow) {
  constexpr std::size_t m = 37, k = 41;
  std::vector<float> a(m * k, 1);
  a[5 * k + (k - 1)] = kNotANumber;
  a[(m - 1) * k] = std::numeric_limits<float>::infinity();
  std::vector<float> transposed(m * k);
  for (std::size_t i = 0; i < m; i++) {
    for (std::size_t p = 0; p < k; p++) transposed[p * m + i] = a[i * k + p];
  }
  const Matrix<float> x(engine(), k, 1, std::vector<float>(k, 1));
  for (const VariantInfo& variant : info_of("matrix_vector").variants) {
    for (const bool transpose : {false, true}) {
      const Matrix<float> matrix(engine(), transpose ? k : m, transpose ? m : k,
                                 transpose ? transposed : a);
      const auto y =
          matrix_vector(transposed_if(transpose, matrix), x, {.kernel = {variant.name(), {}}})
              .to_host();
      for (std::size_t i = 0; i < m; i++) {
        if (i == 5) {
          EXPECT_TRUE(std::isnan(y[i]));
        } else if (i == m - 1) {
          EXPECT_TRUE(std::isinf(y[i]));
        } else {
          EXPECT_EQ(y[i], k);
        }
      }
    }
  }
}

TEST(MatrixVectorTest, BetaZeroDoesNotReadY) {
  const Matrix<float> a(engine(), {{1, 2}}), x(engine(), {{3}, {4}});
  Matrix<float> y(engine(), {{kNotANumber}});
  matrix_vector_into(y, a, x);
  EXPECT_EQ(y.to_host(), (std::vector<float>{11}));
}

TEST(MatrixVectorTest, RefusesWhatDoesNotFit) {
  const Matrix<float> a(engine(), {{1, 2, 3}, {4, 5, 6}});
  Matrix<float> two(engine(), 2, 1), three(engine(), 3, 1), square(engine(), 2, 2);
  EXPECT_EQ(message_of([&] { matrix_vector(a, two); }),
            "matrix_vector: a is 2 x 3 and x is 2 x 1: no vector of 3 elements");
  EXPECT_EQ(message_of([&] { matrix_vector_into(three, a, three); }),
            "matrix_vector: a is 2 x 3 and y is 3 x 1: no vector of 2 elements");
  EXPECT_EQ(message_of([&] { matrix_vector(square, square); }),
            "matrix_vector: a is 2 x 2 and x is 2 x 2: no vector of 2 elements");
  EXPECT_EQ(message_of([&] { matrix_vector_into(two, square, two); }),
            "matrix_vector: y and x have elements in common");
  EXPECT_EQ(message_of([&] { matrix_vector_into(square.block(0, 1, 2, 1), square, two); }),
            "matrix_vector: y and a have elements in common");
  EXPECT_EQ(message_of([&] { matrix_vector(a, three, {.beta = 1}); }),
            "matrix_vector: beta is not 0, but there is no y to add; see matrix_vector_into");
  EXPECT_THROW(matrix_vector(a, three, {.kernel = {"naive", {}}}), ArgumentError);
  const Matrix<float> taken = std::move(three);
  EXPECT_THROW(matrix_vector(a, three), MatrixError);
}

TEST(MatrixVectorTest, TakesWhatMultiplyHasOneRowOrColumnOf) {
  const Matrix<float> a(engine(), {{1, 2, 3}, {4, 5, 6}}), b(engine(), {{1, 2}, {3, 4}, {5, 6}});
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      // c is one column, then one row: blocks of larger matrices, so that no stride is 1 by chance.
      const auto left = transpose_a ? b.transposed() : a.view();
      const auto column = transpose_b ? a.block(0, 0, 1, 3).transposed() : b.block(0, 1, 3, 1);
      const auto tall = multiply(left, column);
      EXPECT_EQ(tall.ran.operation(), "matrix_vector");
      const MultiplyOptions named{.kernel = {"naive"}};
      const auto expected = multiply(left, column, named);
      EXPECT_EQ(expected.ran.operation(), "multiply");
      EXPECT_EQ(tall.to_host(), expected.to_host());

      const auto row = transpose_a ? b.block(0, 1, 3, 1).transposed() : a.block(1, 0, 1, 3);
      const auto right = transpose_b ? a.transposed() : b.view();
      const auto wide = multiply(row, right);
      EXPECT_EQ(wide.ran.operation(), "matrix_vector");
      EXPECT_EQ(wide.rows(), 1U);
      EXPECT_EQ(wide.to_host(), multiply(row, right, named).to_host());
    }
  }
  EXPECT_EQ(multiply(a, b).ran.operation(), "multiply");
}

TEST(MatrixVectorTest, TwoRunsGiveTheSameBits) {
  std::vector<float> elements(311 * 1777);
  for (std::size_t i = 0; i < elements.size(); i++)
    elements[i] = static_cast<float>(static_cast<double>(i * 7919 % 10007) / 10007 - 0.5);
  const Matrix<float> a(engine(), 311, 1777, elements);
  for (const bool transpose : {false, true}) {
    const auto x = a.block(0, 0, 1, transpose ? 311 : 1777), left = transposed_if(transpose, a);
    const auto first = matrix_vector(left, x).to_host(), second = matrix_vector(left, x).to_host();
    EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)), 0);
  }
}

}  // namespace
}  // namespace tessera::test
