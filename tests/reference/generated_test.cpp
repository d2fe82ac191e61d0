// Generated numbers: a device and the host make the same ones, to the bit.
#include "reference/generated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "reference/sample.hpp"
#include "support/device.hpp"

namespace tessera::reference {
namespace {

template <class T>
class GeneratedTest : public testing::Test {};
using Types = testing::Types<float, double, half, std::int32_t, std::int8_t>;
TYPED_TEST_SUITE(GeneratedTest, Types);

TYPED_TEST(GeneratedTest, TheDeviceMakesTheHostsNumbers) {
  const Engine& engine = test::engine();
  if (std::is_same_v<TypeParam, double> && !engine.device().has_double)
    GTEST_SKIP() << "the device has no double";
  for (const Range range : {Range::symmetric, Range::positive}) {
    const Generated<TypeParam> numbers(7, range);
    const auto made = numbers.matrix(engine, 123, 45).to_host();
    std::size_t different = 0;
    for (std::size_t i = 0; i < made.size(); i++) {
      const TypeParam own = numbers[i];
      different += std::memcmp(&own, &made[i], sizeof own) != 0;
    }
    EXPECT_EQ(different, 0U) << "range " << static_cast<int>(range);
  }
}

TEST(GeneratedNumbersTest, TheyFillTheirRangeAndTheirPrecision) {
  const Generated<float> symmetric(1), positive(1, Range::positive), other(2);
  float minimum = 2, maximum = -2;
  int fine = 0;
  for (std::uint64_t i = 0; i < 10000; i++) {
    minimum = std::min(minimum, symmetric[i]);
    maximum = std::max(maximum, symmetric[i]);
    EXPECT_GE(positive[i], 0.125F);
    EXPECT_LT(positive[i], 1.125F);
    // Numbers that a kernel would change if it dropped the lower half of a float's digits.
    fine += symmetric[i] * 2048 != std::floor(symmetric[i] * 2048) ? 1 : 0;
  }
  EXPECT_LT(minimum, -0.999F);
  EXPECT_GT(maximum, 0.999F);
  EXPECT_GT(fine, 9900);
  EXPECT_NE(symmetric[0], other[0]);
}

TEST(GeneratedNumbersTest, ThoseOfInt8TakeEveryValue) {
  const Generated<std::int8_t> numbers(1);
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

}  // namespace
}  // namespace tessera::reference
