// Generated numbers: a device and the host make the same ones, to the bit.
#include "reference/generated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "operands/numbers.hpp"
#include "reference/sample.hpp"
#include "support/device.hpp"

namespace tessera::reference {
namespace {

class GeneratedTest : public testing::TestWithParam<ElementType> {};

TEST_P(GeneratedTest, TheDeviceMakesTheHostsNumbers) {
  const Engine& engine = test::engine();
  if (GetParam() == ElementType::float64 && !engine.device().has_double)
    GTEST_SKIP() << "the device has no double";
  for (const Range range : {Range::symmetric, Range::positive}) {
    const Generated numbers(GetParam(), 7, range);
    const std::size_t count = 123 * 45, size = element_size(GetParam());
    std::vector<std::byte> made(count * size);
    const auto matrix = numbers.matrix(engine, 123, 45);
    detail::to_host(matrix, detail::rows_for(matrix, made.data()));
    std::size_t different = 0;
    for (std::size_t i = 0; i < count; i++) {
      const auto own = operands::elements_of(GetParam(), std::array{numbers[i]});
      different += std::memcmp(own.data(), made.data() + i * size, size) != 0;
    }
    EXPECT_EQ(different, 0U) << "range " << static_cast<int>(range);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, GeneratedTest,
                         testing::Values(ElementType::float32, ElementType::float64,
                                         ElementType::float16, ElementType::int32,
                                         ElementType::int8, ElementType::bfloat16),
                         [](const auto& test) { return std::string(to_string(test.param)); });

/// So that the full precision of each type is used.
TEST(GeneratedNumbersTest, AreExactInTheirType) {
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::float16,
                                 ElementType::int32, ElementType::int8, ElementType::bfloat16}) {
    for (const Range range : {Range::symmetric, Range::positive}) {
      const Generated numbers(type, 3, range);
      for (std::uint64_t i = 0; i < 1000; i++)
        EXPECT_EQ(operands::rounded(type, numbers[i]), numbers[i]) << to_string(type);
    }
  }
}

TEST(GeneratedNumbersTest, TheyFillTheirRangeAndTheirPrecision) {
  const Generated symmetric(ElementType::float32, 1),
      positive(ElementType::float32, 1, Range::positive), other(ElementType::float32, 2);
  double minimum = 2, maximum = -2;
  int fine = 0;
  for (std::uint64_t i = 0; i < 10000; i++) {
    minimum = std::min(minimum, symmetric[i]);
    maximum = std::max(maximum, symmetric[i]);
    EXPECT_GE(positive[i], 0.125);
    EXPECT_LT(positive[i], 1.125);
    // A kernel that drops the lower half of a float's digits changes these numbers.
    fine += symmetric[i] * 2048 != std::floor(symmetric[i] * 2048) ? 1 : 0;
  }
  EXPECT_LT(minimum, -0.999);
  EXPECT_GT(maximum, 0.999);
  EXPECT_GT(fine, 9900);
  EXPECT_NE(symmetric[0], other[0]);
}

TEST(GeneratedNumbersTest, ThoseOfInt8TakeEveryValue) {
  const Generated numbers(ElementType::int8, 1);
  std::array<int, 256> counts{};
  for (std::uint64_t i = 0; i < 25600; i++) counts.at(static_cast<std::size_t>(numbers[i] + 128))++;
  EXPECT_GT(std::ranges::min(counts), 50);
  EXPECT_LT(std::ranges::max(counts), 200);
}

TEST(SampleTest, AllOfAFewAndOfManyTheEndsAndSomeOfEveryPart) {
  EXPECT_EQ(sample(5, 8, 1), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  const auto some = sample(10000, 100, 1);
  ASSERT_EQ(some.size(), 100U);
  EXPECT_EQ(some.front(), 0U);
  EXPECT_EQ(some.back(), 9999U);
  for (std::size_t i = 1; i + 1 < some.size(); i++) EXPECT_EQ(some[i] / 100, i);
  EXPECT_NE(some, sample(10000, 100, 2));
}

TEST(SampleTest, CrossingsAreAllElementsWhereThoseAreFewEnough) {
  for (std::size_t m = 1; m <= 12; m++) {
    for (std::size_t n = 1; n <= 12; n++) {
      const Crossings at(m, n, static_cast<double>(m * n), 1);
      EXPECT_EQ(at.rows.size(), m) << m << " x " << n;
      EXPECT_EQ(at.columns.size(), n) << m << " x " << n;
    }
  }
  const Crossings wide(2, 1000, 100, 1);
  EXPECT_EQ(wide.rows.size(), 2U);
  EXPECT_EQ(wide.columns.size(), 50U);
}

}  // namespace
}  // namespace tessera::reference
