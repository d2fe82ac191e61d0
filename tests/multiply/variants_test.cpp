// Every variant in the registry, with every type, is right on edge cases for a share of its
// parameter sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tessera/check.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "operations.hpp"
#include "support/device.hpp"
#include "support/share.hpp"
#include "support/transposed_if.hpp"
#include "support/type_name.hpp"

namespace tessera::test {
namespace {

struct Subject {
  const VariantInfo* variant;
  ProductTypes types;

  Mode mode() const { return check_mode(engine(), *variant, types); }
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
        GetParam().variant->runs_on(engine(), GetParam().types, GetParam().mode());
    if (!verdict) GTEST_SKIP() << name() << ": " << verdict.reason;
  }

  std::vector<Parameters> configurations(Coverage coverage) const {
    return GetParam().variant->configurations(engine(), GetParam().types, coverage,
                                              GetParam().mode());
  }

  /// Calls it with an element of the operands and one of the result.
  template <class Function>
  void with_types(Function&& function) const {
    const auto with = [&](auto operand) {
      using T = decltype(operand);
      if (GetParam().types == ProductTypes(kElementType<T>))
        return function(operand, ProductElement<T>());
      if constexpr (is_product(ProductTypes(kElementType<T>, ElementType::float32)))
        function(operand, float());
    };
    switch (GetParam().types.a) {
      case ElementType::float32: return with(float());
      case ElementType::float64: return with(double());
      case ElementType::int32: return with(std::int32_t());
      case ElementType::float16: return with(half());
      case ElementType::int8: return with(std::int8_t());
      case ElementType::bfloat16: return with(bfloat16());
      case ElementType::complex64: return with(std::complex<float>());
      case ElementType::complex128: return with(std::complex<double>());
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
      for (const CheckCase& product :
           check_cases("multiply", GetParam().types, parameters, false)) {
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
  for (const CheckCase& product : check_cases("multiply", GetParam().types, sets.front(), true))
    expect_right(product, sets.front());
}

/// Infinities and NaN go where float arithmetic takes them, and nowhere else: not by way of
/// padding.
TEST_P(VariantTest, WhatIsNotFiniteStaysInItsRowAndColumn) {
  with_types([&](auto operand, auto result) {
    using T = decltype(operand);
    using C = decltype(result);
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
        const MultiplyOptions options{.kernel = {name(), {}},
                                      .accuracy = GetParam().mode().accuracy};
        const Matrix<T> left(engine(), transpose ? k : m, transpose ? m : k, a);
        const Matrix<T> right(engine(), transpose ? n : k, transpose ? k : n, b);
        const auto c =
            multiply<C>(transposed_if(transpose, left), transposed_if(transpose, right), options)
                .to_host();
        const auto verification = verify_multiply(
            HostProduct<T, C>{m, n, k, a, b, {}, c, op_if(transpose), op_if(transpose)}, options);
        EXPECT_TRUE(verification.passed()) << "transposed: " << transpose;
      }
    }
  });
}

TEST_P(VariantTest, TwoRunsGiveTheSameBits) {
  if (!GetParam().variant->deterministic()) GTEST_SKIP() << name() << " does not promise it";
  with_types([&](auto operand, auto result) {
    using T = decltype(operand);
    using C = decltype(result);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(-100, 100);
    std::vector<T> elements(97 * 97);
    for (T& element : elements) element = static_cast<T>(uniform(random));
    const Matrix<T> a(engine(), 97, 97, elements);
    const MultiplyOptions options{.kernel = {name(), {}}, .accuracy = GetParam().mode().accuracy};
    const auto first = multiply<C>(a, a, options).to_host();
    const auto second = multiply<C>(a, a, options).to_host();
    EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof first[0]), 0);
  });
}

/// Every variant with the types that it is written for.
std::vector<Subject> subjects() {
  std::vector<Subject> all;
  const auto& rows = find_operation("multiply").variants;
  for (const VariantInfo& variant : operations().front().variants) {
    const auto row = std::ranges::find(rows, variant.name(), &kernels::Variant::name);
    for (const ProductTypes& types : (*row)->types) all.push_back({&variant, types});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Multiply, VariantTest, testing::ValuesIn(subjects()),
                         [](const auto& test) {
                           return test.param.variant->name() + "_" + type_name(test.param.types);
                         });

}  // namespace
}  // namespace tessera::test
