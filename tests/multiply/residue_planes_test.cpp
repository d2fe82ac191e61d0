// tensor_core_residues, and mma_residues, without the instructions that they are written for:
// scales, residues, parts and edges, with plain OpenCL C in their place.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "multiply/nvidia/tensor_core_residues.hpp"
#include "multiply/plain_product.hpp"

namespace tessera::test {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<double>;
using Product = PlainProduct;

class ResiduePlanesTest : public PlainProductTest {
 protected:
  explicit ResiduePlanesTest(const std::string& variant = "tensor_core_residues",
                             const std::string& blocks = "nvidia/wide_blocks.cl")
      : PlainProductTest(variant) {
    folder_.file(blocks, content_of(TESSERA_PLAIN_WIDE_BLOCKS));
    folder_.file("nvidia/word_bytes.cl", content_of(TESSERA_PLAIN_WORD_BYTES));
    for (const char* name : {"bulk_copies", "tensor_maps", "wgmma"})
      folder_.file(std::string("nvidia/") + name + ".cl", "// See wide_blocks.cl.\n");
  }

  void SetUp() override {
    if (!engine().device().has_double) GTEST_SKIP() << "the device has no double";
  }

  /// Limits the memory of residues, so that a product is computed in parts; a part has at least one
  /// tile.
  void limit(std::size_t bytes) {
    enqueue_ = [bytes](const auto& plan, const auto& one, auto& submission) {
      multiplication::enqueue_residues(plan, one, submission, bytes);
    };
  }
};

TEST_F(ResiduePlanesTest, EveryOrderAndScaleOfTheProductIsRight) {
  check<double>({.m = 3, .n = 5, .k = 200});
  check<double>({.m = 130, .n = 7, .k = 33, .op_a = Op::transpose, .alpha = -2, .beta = 1.5});
  check<double>(
      {.m = 9, .n = 259, .k = 129, .op_b = Op::transpose, .more_columns = 3, .first_column = 2});
  check<double>(
      {.m = 33, .n = 31, .k = 40, .op_a = Op::transpose, .op_b = Op::transpose, .beta = 1});
}

/// Another layout of sums: 64 rows of a warp.
class ResiduesOfWarpsTest : public ResiduePlanesTest {
 protected:
  ResiduesOfWarpsTest() : ResiduePlanesTest("mma_residues", "nvidia/warp_blocks.cl") {}
};

TEST_F(ResiduesOfWarpsTest, ProductsAreRight) {
  check<double>({.m = 130, .n = 259, .k = 33, .op_a = Op::transpose, .alpha = -2, .beta = 1.5});
  check<Complex>({.m = 70, .n = 133, .k = 129, .op_b = Op::conjugate, .alpha = Complex(0.5, -2)});
}

TEST_F(ResiduePlanesTest, ComplexProductsOfEveryOrderAreRight) {
  check<Complex>({.m = 3, .n = 5, .k = 200, .alpha = Complex(0.5, -2)});
  check<Complex>(
      {.m = 130, .n = 7, .k = 33, .op_a = Op::conjugate_transpose, .beta = Complex(1.5, 1)});
  check<Complex>({.m = 9,
                  .n = 259,
                  .k = 129,
                  .op_a = Op::conjugate,
                  .op_b = Op::transpose,
                  .more_columns = 3,
                  .first_column = 2});
  check<Complex>({.m = 33,
                  .n = 31,
                  .k = 40,
                  .op_a = Op::transpose,
                  .op_b = Op::conjugate_transpose,
                  .beta = 1});
}

TEST_F(ResiduePlanesTest, ComplexRowsOfEveryMagnitudeAreScaled) {
  const Product product{.m = 6, .n = 4, .k = 21};
  auto a = normal_numbers<Complex>(product.m * product.k, 3);
  const auto b = normal_numbers<Complex>(product.k * product.n, 4);
  const std::vector<int> exponents = {600, 1010, -600, -1060, 0, 1};
  for (std::size_t i = 0; i < product.m; i++) {
    for (std::size_t p = 0; p < product.k; p++) {
      Complex& z = a[i * product.k + p];
      z = i == 4 ? 0
                 : Complex(std::ldexp(z.real(), exponents[i]), std::ldexp(z.imag(), exponents[i]));
    }
  }
  check(product, a, b);
}

TEST_F(ResiduePlanesTest, SmallIntegersAreExact) {
  const Product product{.m = 20, .n = 30, .k = 50};
  Numbers a(product.m * product.k), b(product.k * product.n);
  for (std::size_t i = 0; i < a.size(); i++) a[i] = static_cast<double>(i * 7 % 19) - 9;
  for (std::size_t i = 0; i < b.size(); i++) b[i] = static_cast<double>(i * 5 % 23) - 11;
  const auto c = run(product, a, b);
  for (std::size_t i = 0; i < product.m; i++) {
    for (std::size_t j = 0; j < product.n; j++) {
      double sum = 0;
      for (std::size_t p = 0; p < product.k; p++)
        sum += a[i * product.k + p] * b[p * product.n + j];
      EXPECT_NEAR(c[i * product.n + j], sum, 0x1p-51 * std::fabs(sum)) << i << ", " << j;
    }
  }
}

TEST_F(ResiduePlanesTest, RowsOfEveryMagnitudeAreScaled) {
  const Product product{.m = 12, .n = 10, .k = 21};
  auto a = normal_numbers<double>(product.m * product.k, 3),
       b = normal_numbers<double>(product.k * product.n, 4);
  // Squares that overflow and vanish, subnormals, a row of zeros, an element far above its row.
  const std::vector<int> exponents = {0, 600, 1010, -600, -1000, -1060, 300, -300, 0, 0, 1, -1};
  for (std::size_t i = 0; i < product.m; i++) {
    for (std::size_t p = 0; p < product.k; p++) {
      double& number = a[i * product.k + p];
      number = i == 8 ? 0 : std::ldexp(number, exponents[i]);
    }
  }
  a[9 * product.k + 5] = 0x1p80;
  for (std::size_t p = 0; p < product.k; p++) b[p * product.n + 1] *= 0x1p-560;
  check(product, a, b);
}

TEST_F(ResiduePlanesTest, WhatIsNotFiniteBehavesAsInDoubleArithmetic) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Product product{.m = 6, .n = 7, .k = 9, .beta = 1};
  auto a = normal_numbers<double>(product.m * product.k, 5),
       b = normal_numbers<double>(product.k * product.n, 6);
  a[1 * product.k + 2] = kInfinity;
  a[2 * product.k + 3] = std::numeric_limits<double>::quiet_NaN();
  b[4 * product.n + 5] = -kInfinity;
  a[3 * product.k + 4] = 0;
  const auto c = run(product, a, b);
  for (std::size_t j = 0; j < product.n; j++) {
    EXPECT_TRUE(std::isnan(c[2 * product.n + j])) << j;
    if (j == 5) continue;
    EXPECT_EQ(c[1 * product.n + j], std::copysign(kInfinity, b[2 * product.n + j])) << j;
  }
  EXPECT_TRUE(std::isnan(c[3 * product.n + 5])) << "zero times infinity";
  EXPECT_EQ(c[0 * product.n + 5], std::copysign(kInfinity, -a[4]));
  EXPECT_TRUE(std::isfinite(c[0])) << "elsewhere nothing changes";
}

TEST_F(ResiduePlanesTest, ComplexNumbersThatAreNotFiniteStayInTheirRows) {
  const Product product{.m = 5, .n = 3, .k = 9};
  auto a = normal_numbers<Complex>(product.m * product.k, 5);
  const auto b = normal_numbers<Complex>(product.k * product.n, 6);
  a[1 * product.k + 2] = {1, std::numeric_limits<double>::infinity()};
  a[2 * product.k + 3] = {std::numeric_limits<double>::quiet_NaN(), 1};
  const auto c = run(product, a, b);
  for (std::size_t i = 0; i < product.m; i++) {
    for (std::size_t j = 0; j < product.n; j++) {
      const Complex z = c[i * product.n + j];
      EXPECT_EQ(std::isfinite(z.real()), i != 1 && i != 2) << i << ", " << j;
      EXPECT_EQ(std::isfinite(z.imag()), i != 1 && i != 2) << i << ", " << j;
    }
  }
  check(product, a, b);
}

TEST_F(ResiduePlanesTest, PartsAreWhatTheWholeIs) {
  const Product product{.m = 300,
                        .n = 600,
                        .k = 130,
                        .op_b = Op::transpose,
                        .alpha = 2,
                        .beta = 1,
                        .more_columns = 5,
                        .first_column = 3};
  auto a = normal_numbers<double>(product.m * product.k, 7);
  const auto b = normal_numbers<double>(product.k * product.n, 8);
  const auto whole = run(product, a, b);
  limit(1);
  EXPECT_EQ(run(product, a, b), whole);
  const Product complex_product{.m = 300, .n = 300, .k = 7, .op_b = Op::conjugate_transpose};
  const auto x = normal_numbers<Complex>(complex_product.m * complex_product.k, 9),
             y = normal_numbers<Complex>(complex_product.k * complex_product.n, 10);
  const auto complex_parts = run(complex_product, x, y);
  limit(std::size_t{1} << 40);
  EXPECT_EQ(run(complex_product, x, y), complex_parts);
  limit(1);
  a[200 * product.k + 7] = std::numeric_limits<double>::quiet_NaN();
  const auto c = run(product, a, b);
  for (std::size_t i = 0; i < product.m; i++) {
    for (std::size_t j = 0; j < product.n; j++) {
      const double value = c[i * product.n + j];
      ASSERT_TRUE(i == 200 ? std::isnan(value) : value == whole[i * product.n + j])
          << i << ", " << j << ": " << value;
    }
  }
}

TEST_F(ResiduePlanesTest, AnEmptySumScalesC) {
  check<double>({.m = 5, .n = 7, .k = 0, .beta = 2});
  check<Complex>({.m = 5, .n = 7, .k = 0, .beta = Complex(2, 1)});
}

}  // namespace
}  // namespace tessera::test
