// Every variant in the registry, with every type, is right on edge cases for a share of its
// parameter sets.
#include <gtest/gtest.h>

#include <concepts>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tessera/check.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/share.hpp"

namespace tessera::test {
namespace {

struct Subject {
  const VariantInfo* variant;
  ElementType type;

  Mode mode() const { return check_mode(engine(), *variant, type); }
};

std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += name + "=" + std::to_string(value) + " ";
  return text;
}

class VariantTest : public testing::TestWithParam<Subject> {
 protected:
  const std::string& name() const { return GetParam().variant->name(); }

  void SetUp() override {
    const Verdict verdict =
        GetParam().variant->runs_on(engine(), GetParam().type, GetParam().mode());
    if (!verdict) GTEST_SKIP() << name() << ": " << verdict.reason;
  }

  std::vector<Parameters> configurations(Coverage coverage) const {
    return GetParam().variant->configurations(engine(), GetParam().type, coverage,
                                              GetParam().mode());
  }

  template <class Function>
  void with_type(Function&& function) const {
    switch (GetParam().type) {
      case ElementType::float32: return function(float());
      case ElementType::float64: return function(double());
      case ElementType::int32: return function(std::int32_t());
      case ElementType::float16: return function(half());
      case ElementType::int8: return function(std::int8_t());
    }
  }

  void expect_right(CheckCase product, const Parameters& parameters) const {
    product.problem.mode = GetParam().mode();
    const auto result = check(engine(), product, {name(), parameters});
    EXPECT_EQ(result.failure, "") << text_of(parameters) << describe(product);
    if (result.verification.elements == 0) return;
    EXPECT_EQ(result.ran.variant(), name());
    EXPECT_EQ(result.ran.parameters(), parameters);
  }
};

TEST_P(VariantTest, EveryCandidateIsRightOnEdgeCases) {
  const auto sets = configurations(Coverage::every_candidate);
  ASSERT_FALSE(sets.empty());
  for (const Parameters& parameters : share_of(sets)) {
    std::size_t products = 0;
    try {
      for (const CheckCase& product : check_cases("multiply", GetParam().type, parameters, false)) {
        expect_right(product, parameters);
        products++;
      }
    } catch (const UnsupportedError& error) {
      // A work-group that fits the device can be too large for the kernel, once built: then nothing
      // ran, and they are never the defaults.
      EXPECT_NE(parameters, sets.front()) << error.what();
      EXPECT_EQ(products, 0u) << error.what();
      EXPECT_NE(std::string(error.what()).find("work-items"), std::string::npos) << error.what();
    }
  }
}

TEST_P(VariantTest, EveryTransposeViewAlphaAndBetaIsRightAtDefaults) {
  const auto sets = configurations(Coverage::defaults);
  ASSERT_EQ(sets.size(), 1u);
  for (const CheckCase& product : check_cases("multiply", GetParam().type, sets.front(), true))
    expect_right(product, sets.front());
}

/// Infinities and NaN go where float arithmetic takes them, and nowhere else: not by way of
/// padding.
TEST_P(VariantTest, WhatIsNotFiniteStaysInItsRowAndColumn) {
  with_type([&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::integral<T>) {
      constexpr std::size_t m = 19, n = 21, k = 37;
      constexpr float infinity = std::numeric_limits<float>::infinity();
      std::vector<T> a(m * k, T(1)), b(k * n, T(1));
      a[2 * k + 5] = T(infinity);
      a[4 * k + (k - 1)] = T(-infinity);
      a[7 * k + 0] = T(std::numeric_limits<float>::quiet_NaN());
      b[(k - 1) * n + 3] = T(infinity);
      b[5 * n + 8] = T(0);
      for (const bool transpose : {false, true}) {
        const MultiplyOptions<T> options{.transpose_a = transpose,
                                         .transpose_b = transpose,
                                         .kernel = {name(), {}},
                                         .accuracy = GetParam().mode().accuracy};
        const Matrix<T> left(engine(), transpose ? k : m, transpose ? m : k, a);
        const Matrix<T> right(engine(), transpose ? n : k, transpose ? k : n, b);
        const auto c = multiply(left, right, options).to_host();
        const auto verification = verify_multiply<T>(m, n, k, a, b, {}, c, options);
        EXPECT_TRUE(verification.passed()) << "transposed: " << transpose;
      }
    }
  });
}

TEST_P(VariantTest, TwoRunsGiveTheSameBits) {
  if (!GetParam().variant->deterministic()) GTEST_SKIP() << name() << " does not promise it";
  with_type([&](auto zero) {
    using T = decltype(zero);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(-100, 100);
    std::vector<T> elements(97 * 97);
    for (T& element : elements) element = static_cast<T>(uniform(random));
    const Matrix<T> a(engine(), 97, 97, elements);
    const MultiplyOptions<T> options{.kernel = {name(), {}},
                                     .accuracy = GetParam().mode().accuracy};
    const auto first = multiply(a, a, options).to_host();
    const auto second = multiply(a, a, options).to_host();
    EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof first[0]), 0);
  });
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  const OperationInfo& multiply = operations().front();
  for (const VariantInfo& variant : multiply.variants) {
    for (const ElementType type : multiply.types) all.push_back({&variant, type});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Multiply, VariantTest, testing::ValuesIn(subjects()),
                         [](const auto& test) {
                           return test.param.variant->name() + "_" +
                                  std::string(name(test.param.type));
                         });

}  // namespace
}  // namespace tessera::test
