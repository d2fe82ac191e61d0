// verify_multiply: passes what is right, finds what is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <tessera/error.hpp>
#include <tessera/verify.hpp>
#include <utility>
#include <vector>

namespace tessera::test {
namespace {

const std::vector<float> kA = {1, 2, 3, 4, 5, 6}, kB = {7, 8, 9, 10, 11, 12},
                         kProduct = {58, 64, 139, 154};

TEST(VerifyTest, PassesAnExactProduct) {
  const auto verification = verify_multiply(HostProduct<float>{2, 2, 3, kA, kB, {}, kProduct});
  EXPECT_TRUE(verification.passed());
  EXPECT_EQ(verification.max_error, 0);
  EXPECT_EQ(verification.elements, 4u);
}

TEST(VerifyTest, FindsOneWrongElement) {
  for (std::size_t i = 0; i < 4; i++) {
    for (const float wrong : {kProduct[i] * 1.0001f, 0.0f, std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity()}) {
      auto c = kProduct;
      c[i] = wrong;
      EXPECT_FALSE(verify_multiply(HostProduct<float>{2, 2, 3, kA, kB, {}, c}).passed())
          << i << " is " << wrong;
    }
  }
}

TEST(VerifyTest, BoundIsThatOfTheFormula) {
  auto c = kProduct;
  const float half_unit = std::ldexp(1.0f, -24);
  c[3] += 20 * 154 * half_unit;  // over (3 + 8) u sum |a||b|
  EXPECT_FALSE(verify_multiply(HostProduct<float>{2, 2, 3, kA, kB, {}, c}).passed());
  c[3] = 154 + 8 * 154 * half_unit;
  const auto verification = verify_multiply(HostProduct<float>{2, 2, 3, kA, kB, {}, c});
  EXPECT_TRUE(verification.passed());
  EXPECT_NEAR(verification.error_bound, 11 * half_unit * 154, 1e-9);
}

TEST(VerifyTest, BoundedComplexProductsHaveTheBoundOfTheirParts) {
  using Element = std::complex<double>;
  const std::vector<Element> a = {{3, 4}}, b = {5};
  const MultiplyOptions options{.accuracy = Accuracy::bounded};
  const double bound = 0x1p-53 * 25 * (2 + 8 + std::sqrt(2));
  const auto with_error = [&](double error) {
    const std::vector<Element> c = {{15, 20 + error}};
    return verify_multiply(HostProduct<Element>{1, 1, 1, a, b, {}, c}, options);
  };
  EXPECT_FALSE(with_error(0x1p-44).passed());
  EXPECT_TRUE(with_error(0x1p-48).passed());
  EXPECT_NEAR(with_error(0x1p-48).error_bound, bound, 1e-3 * bound);
}

TEST(VerifyTest, KnowsTransposesAlphaAndBeta) {
  const MultiplyOptions options{.alpha = 2, .beta = 10};
  const std::vector<double> a = {1, 4, 2, 5, 3, 6}, b = {7, 9, 11, 8, 10, 12},
                            before = {1, 2, 3, 4}, c = {126, 148, 308, 348};
  HostProduct<double> product{.rows = 2,
                              .columns = 2,
                              .k = 3,
                              .a = a,
                              .b = b,
                              .c_before = before,
                              .c = c,
                              .op_a = Op::transpose,
                              .op_b = Op::conjugate_transpose};
  EXPECT_TRUE(verify_multiply(product, options).passed());
  std::swap(product.c_before, product.c);
  EXPECT_FALSE(verify_multiply(product, options).passed());
}

TEST(VerifyTest, CountsSumsThatLeaveInt32) {
  const std::int32_t maximum = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::int32_t> a = {maximum, 1}, b = {1, 1, 1, 0},
                                  c = {std::numeric_limits<std::int32_t>::min(), maximum};
  const auto verification = verify_multiply(HostProduct<std::int32_t>{1, 2, 2, a, b, {}, c});
  EXPECT_TRUE(verification.passed()) << "modulo 2^32";
  EXPECT_EQ(verification.wrapped, 1u);
  const std::vector<std::int8_t> bytes = {-128}, one = {1};
  const std::vector<std::int32_t> product = {0};
  const auto scaled = [&](std::int32_t alpha) {
    return verify_multiply(HostProduct<std::int8_t>{1, 1, 1, bytes, one, {}, product},
                           {.alpha = alpha})
        .wrapped;
  };
  EXPECT_EQ(scaled(1 << 24), 0u) << "-2^31";
  EXPECT_EQ(scaled((1 << 24) + 1), 1u);
  Verification all;
  all.merge(verification);
  all.merge(verification);
  EXPECT_EQ(all.wrapped, 2u);
}

/// Simulates devices that flush subnormal numbers, even if these are multiplied by large ones.
TEST(VerifyTest, SubnormalFloatsMayBeTakenForZero) {
  const float subnormal = 1e-39f, large = 3e38f;
  const std::vector<float> a = {subnormal, 1}, b = {large, 1}, before = {subnormal}, zero = {0},
                           one = {1}, two = {2};
  EXPECT_TRUE(verify_multiply(HostProduct<float>{1, 1, 2, a, b, {}, one}).passed());
  EXPECT_FALSE(verify_multiply(HostProduct<float>{1, 1, 2, a, b, {}, two}).passed());
  const MultiplyOptions adds{.beta = large};
  EXPECT_TRUE(verify_multiply(HostProduct<float>{1, 1, 1, zero, one, before, zero}, adds).passed());
  EXPECT_FALSE(verify_multiply(HostProduct<float>{1, 1, 1, zero, one, before, one}, adds).passed());
}

TEST(VerifyTest, Int32IsExact) {
  const std::vector<std::int32_t> a = {1 << 30, 3}, b = {4, 5};
  EXPECT_TRUE(
      verify_multiply(HostProduct<std::int32_t>{1, 1, 2, a, b, {}, std::vector<std::int32_t>{15}})
          .passed());
  EXPECT_FALSE(
      verify_multiply(HostProduct<std::int32_t>{1, 1, 2, a, b, {}, std::vector<std::int32_t>{16}})
          .passed());
}

TEST(VerifyTest, Int8IsExactModuloTwoToThe32) {
  const std::size_t k = 262145;  // as many products of 2^14 are 2^32 + 2^14
  const std::vector<std::int8_t> a(k, -128);
  const std::vector<std::int32_t> before = {5};
  const auto passes = [&](std::int32_t c, const MultiplyOptions& options) {
    return verify_multiply(HostProduct<std::int8_t>{1, 1, k, a, a, before, std::vector{c}}, options)
        .passed();
  };
  EXPECT_TRUE(passes(16384, {}));
  EXPECT_FALSE(passes(16385, {}));
  EXPECT_TRUE(passes(-16384 + 10, {.alpha = -1, .beta = 2}));
  EXPECT_FALSE(passes(-16384, {.alpha = -1, .beta = 2}));
}

/// Also where the sum itself leaves int64, or comes back into int32.
TEST(VerifyTest, CountsIntegersThatWrap) {
  using Integers = std::vector<std::int32_t>;
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min(),
                         kMax = std::numeric_limits<std::int32_t>::max();
  const auto wrapped = [](const Integers& a, const Integers& b, std::int32_t c,
                          const MultiplyOptions& options = {}) {
    const Integers before = {kMax}, after = {c};
    const auto verification =
        verify_multiply(HostProduct<std::int32_t>{1, 1, a.size(), a, b, before, after}, options);
    EXPECT_TRUE(verification.passed());
    return verification.wrapped;
  };
  EXPECT_EQ(wrapped({kMax}, {1}, kMax), 0u);
  EXPECT_EQ(wrapped({kMax, 1}, {1, 1}, kMin), 1u);
  EXPECT_EQ(wrapped({kMin, 1}, {1, -1}, kMax), 1u);
  EXPECT_EQ(wrapped({kMax, kMax}, {2, -1}, kMax), 0u);
  EXPECT_EQ(wrapped({kMin, kMin, kMin}, {kMin, kMin, kMin}, 0), 1u);
  EXPECT_EQ(wrapped({1}, {1}, kMin, {.beta = 1}), 1u);
  EXPECT_EQ(wrapped({kMax}, {1}, 0, {.alpha = -1, .beta = 1}), 0u);
  const std::vector<std::int8_t> ones = {1, 1};
  const Integers before = {kMax, 0}, after = {kMin, 1};
  Verification merged = verify_multiply(
      HostProduct<std::int8_t>{2, 1, 1, ones, std::vector<std::int8_t>{1}, before, after},
      {.beta = 1});
  EXPECT_EQ(merged.wrapped, 1u);
  merged.merge(merged);
  EXPECT_EQ(merged.wrapped, 2u);
}

TEST(VerifyTest, NotFiniteHasToAgree) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> a = {infinity, 1}, b = {1, 1}, none = {0, 1};
  EXPECT_TRUE(verify_multiply(HostProduct<float>{1, 1, 2, a, b, {}, std::vector<float>{infinity}})
                  .passed());
  EXPECT_FALSE(verify_multiply(HostProduct<float>{1, 1, 2, a, b, {}, std::vector<float>{-infinity}})
                   .passed());
  EXPECT_FALSE(
      verify_multiply(HostProduct<float>{1, 1, 2, a, b, {}, std::vector<float>{1e30f}}).passed());
  EXPECT_TRUE(
      verify_multiply(HostProduct<float>{1, 1, 2, a, none, {}, std::vector<float>{std::nanf("")}})
          .passed());
  EXPECT_FALSE(
      verify_multiply(HostProduct<float>{1, 1, 2, a, none, {}, std::vector<float>{1}}).passed());
}

TEST(VerifyTest, AlphaMagnifiesWhatUnderflows) {
  const std::vector<float> tiny = {1e-25f}, c = {0};
  const auto scaled =
      verify_multiply(HostProduct<float>{1, 1, 1, tiny, tiny, {}, c}, {.alpha = 1e30f});
  EXPECT_TRUE(scaled.passed()) << "the product is below all numbers";
  EXPECT_NEAR(scaled.error_bound, 3 * 1e30 * 0x1p-126, 1e-10);
  const std::vector<float> small = {1e-15f};
  EXPECT_FALSE(
      verify_multiply(HostProduct<float>{1, 1, 1, small, small, {}, c}, {.alpha = 1e30f}).passed());
}

TEST(VerifyTest, WhatIsUnboundedInPartsIsSoInTheWhole) {
  Verification whole{.elements = 4, .unbounded = 1};
  whole.merge({.elements = 3, .unbounded = 2});
  EXPECT_EQ(whole.elements, 7U);
  EXPECT_EQ(whole.unbounded, 3U);
}

TEST(VerifyTest, NothingIsPromisedWhereASumMayOverflow) {
  const float max = std::numeric_limits<float>::max();
  const std::vector<float> a = {max, 1, max, -max}, b = {1, 1};
  const auto verification = verify_multiply(
      HostProduct<float>{2, 1, 2, a, b, {}, std::vector<float>{max, max}}, {.alpha = 2});
  EXPECT_TRUE(verification.passed());
  EXPECT_EQ(verification.elements, 2u);
  EXPECT_EQ(verification.unbounded, 2u);
  // Now sums are as large, but no larger.
  const std::vector<float> ones = {1, 0, 1, 0}, large = {max, 0};
  const auto bounded = verify_multiply(
      HostProduct<float>{2, 1, 2, ones, large, {}, std::vector<float>{max, max / 2}});
  EXPECT_EQ(bounded.unbounded, 0u);
  EXPECT_FALSE(bounded.passed());
}

TEST(VerifyTest, ASampleHasTheCornersAndOtherElementsForEachSeed) {
  constexpr std::size_t m = 40, n = 90, kMax = 100;
  const std::vector<float> ones(n, 1), zeros(m * n, 0);
  const auto wrong_at = [&](std::size_t i, std::size_t j, std::uint64_t seed) {
    auto c = zeros;
    c[i * n + j] = 1;
    const auto verification =
        verify_multiply(HostProduct<float>{m, n, 1, std::vector<float>(m, 0), ones, {}, c}, {},
                        {.max_elements = kMax, .seed = seed});
    EXPECT_LE(verification.elements, kMax);
    EXPECT_GE(verification.elements, kMax / 2);
    return !verification.passed();
  };
  std::size_t found = 0;
  constexpr std::size_t kSeeds = 300;
  for (std::uint64_t seed = 0; seed < kSeeds; seed++) {
    EXPECT_TRUE(wrong_at(0, 0, seed));
    EXPECT_TRUE(wrong_at(m - 1, n - 1, seed));
    found += wrong_at(17, 31, seed) ? 1 : 0;
  }
  EXPECT_GT(found, 0u);
  EXPECT_LT(found, kSeeds);
}

TEST(VerifyTest, RefusesSpansOfOtherSizes) {
  EXPECT_THROW(verify_multiply(HostProduct<float>{2, 2, 4, kA, kB, {}, kProduct}), MatrixError);
  EXPECT_THROW(verify_multiply(HostProduct<float>{2, 2, 3, kA, kB, {}, kProduct}, {.beta = 1}),
               MatrixError);
}

}  // namespace
}  // namespace tessera::test
