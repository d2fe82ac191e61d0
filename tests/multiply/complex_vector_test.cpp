// matrix_vector of complex elements: views of a and x, factors, and what multiply delegates to it.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <limits>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

using VectorElements = std::vector<std::complex<float>>;

/// Small integers, whose sums of products are exact.
VectorElements vector_elements(std::size_t count, std::size_t seed) {
  VectorElements elements(count);
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t bits = (i + seed) * 2654435761U >> 7U;
    elements[i] = {static_cast<float>(bits % 9) - 4, static_cast<float>(bits / 9 % 7) - 3};
  }
  return elements;
}

constexpr std::array kVectorOps = {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};

ConstMatrixView<std::complex<float>> vector_view(ConstMatrixView<std::complex<float>> of, Op op) {
  if (is_transposed(op)) of = of.transposed();
  return is_conjugated(op) ? of.conjugated() : of;
}

/// A 21 x 19 block of a larger matrix, a column and a row of others, and what multiply computes
/// from them by a kernel for matrices.
struct VectorCase {
  Matrix<std::complex<float>> large{engine(), 23, 31, vector_elements(23 * 31, 1)},
      vectors{engine(), 40, 40, vector_elements(40 * 40, 2)};

  ConstMatrixView<std::complex<float>> a(Op op) const {
    return vector_view(large.block(1, 3, 21, 19), op);
  }
  ConstMatrixView<std::complex<float>> column(std::size_t length) const {
    return vectors.block(2, 5, length, 1);
  }
  ConstMatrixView<std::complex<float>> row(std::size_t length) const {
    return vectors.block(7, 3, 1, length);
  }
};

TEST(ComplexVectorTest, EveryViewIsRight) {
  const VectorCase operands;
  constexpr std::complex<float> kAlpha(2, -1), kBeta(0, 3);
  for (const Op op_a : kVectorOps) {
    const auto a = operands.a(op_a);
    for (const bool conjugates : {false, true}) {
      const auto column = vector_view(operands.column(a.columns()), op_if(false, conjugates)),
                 row = vector_view(operands.row(a.columns()), op_if(false, conjugates));
      for (const auto& [x, transposed] : {std::pair(column, false), std::pair(row, true)}) {
        Matrix<std::complex<float>> expected(engine(), a.rows(), 1, vector_elements(a.rows(), 3)),
            y(engine(), 1, a.rows(), vector_elements(a.rows(), 3));
        multiply_into(expected, a, transposed ? x.transposed() : x,
                      {.alpha = kAlpha, .beta = kBeta, .kernel = {"naive"}});
        for (const VariantInfo& variant : info_of("matrix_vector").variants) {
          Matrix<std::complex<float>> computed(y);
          const auto ran = matrix_vector_into(
              computed, a, x, {.alpha = kAlpha, .beta = kBeta, .kernel = {variant.name(), {}}});
          EXPECT_EQ(ran.operation(), "matrix_vector");
          EXPECT_EQ(computed.to_host(), expected.to_host())
              << variant.name() << ", a " << to_string(op_a) << (transposed ? ", a row" : "")
              << (conjugates ? ", x conjugated" : "");
        }
      }
    }
  }
}

TEST(ComplexVectorTest, TakesWhatMultiplyHasOneRowOrColumnOf) {
  const VectorCase operands;
  const MultiplyOptions named{.kernel = {"naive"}};
  for (const Op op_a : kVectorOps) {
    for (const bool conjugates : {false, true}) {
      const auto a = operands.a(op_a);
      const auto column = vector_view(operands.column(a.columns()), op_if(false, conjugates)),
                 row = vector_view(operands.column(a.rows()), op_if(true, conjugates));
      const auto tall = multiply(a, column), wide = multiply(row, a);
      EXPECT_EQ(tall.ran.operation(), "matrix_vector");
      EXPECT_EQ(wide.ran.operation(), "matrix_vector");
      EXPECT_EQ(tall.to_host(), multiply(a, column, named).to_host()) << to_string(op_a);
      EXPECT_EQ(wide.to_host(), multiply(row, a, named).to_host()) << to_string(op_a);
    }
  }
}

TEST(ComplexVectorTest, PlansRunWithComplexFactors) {
  // So large that the product of matrices would run as a real one.
  const Matrix<std::complex<float>> stored(engine(), 190, 230, vector_elements(190 * 230, 4)),
      vector(engine(), 1, 190, vector_elements(190, 5));
  const auto a = stored.adjoint(), x = vector.adjoint();
  Matrix<std::complex<float>> y(engine(), a.rows(), 1), expected(engine(), a.rows(), 1);
  multiply_into(expected, a, x, {.alpha = std::complex(0.0, 2.0), .kernel = {"naive"}});
  for (const Plan& plan : {plan_matrix_vector(y, a, x), plan_multiply(y, a, x)}) {
    EXPECT_EQ(plan.problem().operation, "matrix_vector");
    EXPECT_EQ(plan.problem().op_b, Op::conjugate);
    plan.run(y, a, x, {.alpha = std::complex(0.0, 2.0)});
    EXPECT_EQ(y.to_host(), expected.to_host());
    EXPECT_THROW(plan.run(y, a, x.conjugated()), ArgumentError);
  }
}

TEST(ComplexVectorTest, AnInfinitePartStaysInItsRow) {
  constexpr std::size_t rows = 21, columns = 34;
  for (const bool transposes : {false, true}) {
    VectorElements elements(rows * columns, 1);
    elements[transposes ? 33 * rows + 5 : 5 * columns + 33] = {
        1, std::numeric_limits<float>::infinity()};
    const Matrix<std::complex<float>> stored(engine(), transposes ? columns : rows,
                                             transposes ? rows : columns, elements);
    const auto a = vector_view(stored, op_if(transposes));
    const Matrix<std::complex<float>> x(engine(), columns, 1, VectorElements(columns, {1, 1}));
    const auto y = matrix_vector(a, x).to_host();
    for (std::size_t i = 0; i < rows; i++) {
      if (i != 5) {
        EXPECT_EQ(y[i], std::complex<float>(columns, columns)) << i;
      } else {
        EXPECT_EQ(y[i].real(), -std::numeric_limits<float>::infinity());
        EXPECT_EQ(y[i].imag(), std::numeric_limits<float>::infinity());
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
