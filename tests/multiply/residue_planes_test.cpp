// tensor_core_residues without the instructions that it is written for: scales, residues, parts and
// edges, with plain OpenCL C in their place.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <tessera/verify.hpp>
#include <vector>

#include "multiply/call.hpp"
#include "multiply/nvidia/tensor_core_residues.hpp"
#include "multiply/plain_kernel.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<double>;

struct Product {
  std::size_t m, n, k;
  Op op_a = Op::none, op_b = Op::none;
  Scalar alpha = 1, beta = 0;
  std::size_t more_columns = 0, first_column = 0;  // of the memory of A and B
};

template <class T = double>
std::vector<T> normal_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> all(count);
  for (T& number : all) {
    if constexpr (std::same_as<T, Complex>)
      number = {normal(random), normal(random)};
    else
      number = normal(random);
  }
  return all;
}

template <class T>
ConstMatrixView<T> viewed_by(Op op, const ConstMatrixView<T>& matrix) {
  if (op == Op::transpose) return matrix.transposed();
  if (op == Op::conjugate) return matrix.conjugated();
  return op == Op::none ? matrix : matrix.adjoint();
}

class ResiduePlanesTest : public testing::Test {
 protected:
  ResiduePlanesTest() {
    folder_.file("nvidia/wide_blocks.cl", content_of(TESSERA_PLAIN_WIDE_BLOCKS));
    folder_.file("nvidia/word_bytes.cl", content_of(TESSERA_PLAIN_WORD_BYTES));
    folder_.file("common/fences.cl",
                 "#define all_have_arrived(arrived, groups, counts, told) true\n");
    for (const char* name : {"bulk_copies", "tensor_maps", "wgmma"})
      folder_.file(std::string("nvidia/") + name + ".cl", "// See wide_blocks.cl.\n");
  }

  void SetUp() override {
    if (!engine().device().has_double) GTEST_SKIP() << "the device has no double";
  }

  /// The library's own way, past the question whether the device has wgmma: C, which was 3.
  template <class T>
  std::vector<T> run(const Product& product, const std::vector<T>& a_values,
                     const std::vector<T>& b_values) {
    const Variable kernels_here("TESSERA_KERNEL_DIR", folder_.path().string());
    const std::size_t a_rows = is_transposed(product.op_a) ? product.k : product.m,
                      a_columns = is_transposed(product.op_a) ? product.m : product.k,
                      b_rows = is_transposed(product.op_b) ? product.n : product.k,
                      b_columns = is_transposed(product.op_b) ? product.k : product.n,
                      more = product.more_columns, first = product.first_column;
    const auto widened = [&](const std::vector<T>& inside, std::size_t rows, std::size_t columns) {
      std::vector<T> all(rows * (columns + more), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; i < rows; i++)
        for (std::size_t j = 0; j < columns; j++)
          all[i * (columns + more) + first + j] = inside[i * columns + j];
      return all;
    };
    const Matrix<T> a(engine(), a_rows, a_columns + more, widened(a_values, a_rows, a_columns)),
        b(engine(), b_rows, b_columns + more, widened(b_values, b_rows, b_columns));
    Matrix<T> c(engine(), product.m, product.n, std::vector<T>(product.m * product.n, 3));
    const auto left = viewed_by<T>(product.op_a, a.block(0, first, a_rows, a_columns)),
               right = viewed_by<T>(product.op_b, b.block(0, first, b_rows, b_columns));
    enqueue(multiplication::make_call({detail::operand(c)}, {detail::operand(left)},
                                      {detail::operand(right)}, options(product)));
    return c.to_host();
  }

  static MultiplyOptions options(const Product& product) {
    return {.alpha = product.alpha, .beta = product.beta, .accuracy = Accuracy::bounded};
  }

  /// Limits the memory of residues, so that a product is computed in parts; a part has at least one
  /// tile.
  void limit(std::size_t bytes) { limit_ = bytes; }

  template <class T>
  void check(const Product& product, const std::vector<T>& a, const std::vector<T>& b) {
    const auto c = run(product, a, b);
    const std::vector<T> before(c.size(), 3);
    const auto verification = verify_multiply(HostProduct<T>{product.m, product.n, product.k, a, b,
                                                             before, c, product.op_a, product.op_b},
                                              options(product));
    EXPECT_TRUE(verification.passed())
        << product.m << " x " << product.n << " x " << product.k << ": error "
        << verification.max_error << ", " << verification.worst << " of the bound";
  }

  template <class T = double>
  void check(const Product& product) {
    check(product, normal_numbers<T>(product.m * product.k, 1),
          normal_numbers<T>(product.k * product.n, 2));
  }

 private:
  void enqueue(const multiplication::Call& call) const {
    EnqueueProduct in_parts;
    if (limit_ > 0) {
      in_parts = [this](const auto& plan, const auto& one, auto& submission) {
        multiplication::enqueue_residues(plan, one, submission, limit_);
      };
    }
    run_plain(engine(), "tensor_core_residues", {}, call, in_parts);
  }

  Folder folder_;
  std::size_t limit_ = 0;
};

TEST_F(ResiduePlanesTest, EveryOrderAndScaleOfTheProductIsRight) {
  check({.m = 3, .n = 5, .k = 200});
  check({.m = 130, .n = 7, .k = 33, .op_a = Op::transpose, .alpha = -2, .beta = 1.5});
  check({.m = 9, .n = 259, .k = 129, .op_b = Op::transpose, .more_columns = 3, .first_column = 2});
  check({.m = 33, .n = 31, .k = 40, .op_a = Op::transpose, .op_b = Op::transpose, .beta = 1});
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
  auto a = normal_numbers(product.m * product.k, 3), b = normal_numbers(product.k * product.n, 4);
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
  auto a = normal_numbers(product.m * product.k, 5), b = normal_numbers(product.k * product.n, 6);
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
  auto a = normal_numbers(product.m * product.k, 7);
  const auto b = normal_numbers(product.k * product.n, 8);
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
  check({.m = 5, .n = 7, .k = 0, .beta = 2});
  check<Complex>({.m = 5, .n = 7, .k = 0, .beta = Complex(2, 1)});
}

}  // namespace
}  // namespace tessera::test
