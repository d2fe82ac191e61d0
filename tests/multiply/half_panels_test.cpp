// tensor_core_hopper, and mma_halves, without the instructions that they are written for:
// scales, panels of halves and edges, with plain OpenCL C in their place.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "multiply/plain_product.hpp"

namespace tessera::test {
namespace {

using ComplexFloat = std::complex<float>;
using ComplexFloats = std::vector<ComplexFloat>;

class HalfPanelsTest : public PlainProductTest {
 protected:
  explicit HalfPanelsTest(const std::string& variant = "tensor_core_hopper")
      : PlainProductTest(variant) {
    folder_.file("multiply/" + variant + ".cl", content_of(TESSERA_PLAIN_HALF_PANELS));
    folder_.file("nvidia/halves.cl", content_of(TESSERA_PLAIN_HALVES));
    folder_.file("nvidia/exchange.cl", "#define EXCHANGE(x, y, bit, lane)\n");
  }

  /// The real product that a complex one is, in the same kernel.
  std::vector<float> run_as_real(const PlainProduct& product, const ComplexFloats& a,
                                 const ComplexFloats& b) {
    const auto [m, n, k, op_a, op_b, alpha, beta, more, first] = product;
    std::vector<float> real_a(m * 2 * k), real_b(2 * k * 2 * n);
    for (std::size_t p = 0; p < k; p++) {
      for (std::size_t i = 0; i < m; i++) {
        const ComplexFloat z = a[is_transposed(op_a) ? p * m + i : i * k + p];
        real_a[i * 2 * k + 2 * p] = z.real();
        real_a[i * 2 * k + 2 * p + 1] = is_conjugated(op_a) ? -z.imag() : z.imag();
      }
      for (std::size_t j = 0; j < n; j++) {
        const ComplexFloat z = b[is_transposed(op_b) ? j * k + p : p * n + j];
        const float y = is_conjugated(op_b) ? -z.imag() : z.imag();
        float* to = &real_b[2 * p * 2 * n + 2 * j];
        to[0] = z.real();
        to[1] = y;
        to[2 * n] = -y;
        to[2 * n + 1] = z.real();
      }
    }
    return run<float>({.m = m, .n = 2 * n, .k = 2 * k}, real_a, real_b);
  }
};

/// Stages of 32, for products by warps.
class HalvesOfWarpsTest : public HalfPanelsTest {
 protected:
  HalvesOfWarpsTest() : HalfPanelsTest("mma_halves") {}
};

TEST_F(HalvesOfWarpsTest, ProductsAreRight) {
  check<float>({.m = 258, .n = 131, .k = 33, .op_a = Op::transpose, .alpha = -2, .beta = 1.5});
  check<ComplexFloat>({.m = 5, .n = 67, .k = 70, .op_b = Op::conjugate_transpose});
}

TEST_F(HalfPanelsTest, EveryOrderAndScaleOfTheProductIsRight) {
  check<float>({.m = 3, .n = 5, .k = 200});
  check<float>({.m = 258, .n = 7, .k = 33, .op_a = Op::transpose, .alpha = -2, .beta = 1.5});
  check<float>(
      {.m = 9, .n = 131, .k = 129, .op_b = Op::transpose, .more_columns = 3, .first_column = 2});
  check<float>({.m = 33, .n = 32, .k = 64, .op_a = Op::transpose, .op_b = Op::transpose});
}

TEST_F(HalfPanelsTest, ComplexFactorsAreRight) {
  const std::array<Scalar, 3> factors = {Scalar(0), Scalar(3), Scalar(std::complex(0.5, -2.0))};
  for (const Scalar alpha : factors) {
    for (const Scalar beta : factors)
      check<ComplexFloat>({.m = 5, .n = 6, .k = 40, .alpha = alpha, .beta = beta});
  }
  check<ComplexFloat>({.m = 259,
                       .n = 67,
                       .k = 35,
                       .alpha = std::complex(0.0, 1.0),
                       .beta = std::complex(1.0, 2.0),
                       .more_columns = 3,
                       .first_column = 2});
}

TEST_F(HalfPanelsTest, ComplexProductsAreTheRealOnesBitByBit) {
  unsigned seed = 1;
  for (const Op op_a : {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate}) {
    for (const Op op_b : {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate}) {
      for (const std::size_t more : {0U, 3U}) {
        const PlainProduct product{.m = 37,
                                   .n = 69,
                                   .k = 75,
                                   .op_a = op_a,
                                   .op_b = op_b,
                                   .more_columns = more,
                                   .first_column = more / 2};
        auto a = normal_numbers<ComplexFloat>(product.m * product.k, seed++);
        auto b = normal_numbers<ComplexFloat>(product.k * product.n, seed++);
        for (std::size_t i = 0; i < a.size(); i += 7) a[i] *= 1e3F;
        for (std::size_t i = 0; i < b.size(); i += 5) b[i] = {b[i].real() * 1e-20F, 1e15F};
        const auto c = run(product, a, b);
        const auto expected = run_as_real(product, a, b);
        for (std::size_t i = 0; i < c.size(); i++) {
          ASSERT_EQ(c[i], ComplexFloat(expected[2 * i], expected[2 * i + 1]))
              << to_string(op_a) << ", " << to_string(op_b) << ", " << more << ": " << i;
        }
      }
    }
  }
}

TEST_F(HalfPanelsTest, ComplexRowsOfEveryMagnitudeAreScaled) {
  const PlainProduct product{.m = 6, .n = 4, .k = 21};
  auto a = normal_numbers<ComplexFloat>(product.m * product.k, 3);
  auto b = normal_numbers<ComplexFloat>(product.k * product.n, 4);
  const std::array<float, 6> scales = {1e30F, 1e-30F, 1e-38F, 0, 1, 1e10F};
  for (std::size_t i = 0; i < a.size(); i++) a[i] *= scales[i / product.k];
  for (std::size_t p = 0; p < product.k; p++) b[p * product.n + 1] *= 1e-25F;
  check(product, a, b);
}

TEST_F(HalfPanelsTest, ComplexNumbersThatAreNotFiniteStayInTheirRowsAndColumns) {
  const PlainProduct product{.m = 5, .n = 4, .k = 9};
  auto a = normal_numbers<ComplexFloat>(product.m * product.k, 5);
  auto b = normal_numbers<ComplexFloat>(product.k * product.n, 6);
  a[1 * product.k + 2] = {1, std::numeric_limits<float>::infinity()};
  b[3 * product.n + 2] = {std::numeric_limits<float>::quiet_NaN(), 1};
  const auto c = run(product, a, b);
  for (std::size_t i = 0; i < product.m; i++) {
    for (std::size_t j = 0; j < product.n; j++) {
      const ComplexFloat z = c[i * product.n + j];
      EXPECT_EQ(std::isfinite(z.real()), i != 1 && j != 2) << i << ", " << j;
      EXPECT_EQ(std::isfinite(z.imag()), i != 1 && j != 2) << i << ", " << j;
    }
  }
}

TEST_F(HalfPanelsTest, AnEmptySumScalesC) {
  check<float>({.m = 5, .n = 7, .k = 0, .beta = 2});
  check<ComplexFloat>({.m = 5, .n = 7, .k = 0, .beta = std::complex(2.0, 1.0)});
}

}  // namespace
}  // namespace tessera::test
