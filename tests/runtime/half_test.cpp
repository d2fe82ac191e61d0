// half: every bit pattern, and rounding between them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tessera/half.hpp>

namespace tessera::test {
namespace {

TEST(HalfTest, EveryPatternSurvivesFloat) {
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    const half value = half::from_bits(static_cast<std::uint16_t>(bits));
    const auto wide = static_cast<float>(value);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(half(wide)))) << bits;
    } else {
      EXPECT_EQ(half(wide).bits(), bits);
    }
  }
}

TEST(HalfTest, RoundsToTheNearestAndTiesToEven) {
  for (unsigned bits = 0; bits < 0x7c00; bits++) {  // each finite value and its successor
    const auto low = half::from_bits(static_cast<std::uint16_t>(bits));
    const double below = static_cast<float>(low);
    const double above =
        bits == 0x7bff ? 65536.0
                       : static_cast<float>(half::from_bits(static_cast<std::uint16_t>(bits + 1)));
    const auto middle = static_cast<float>((below + above) / 2);
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(half(middle).bits(), even) << middle;
    EXPECT_EQ(half(std::nextafter(middle, 0.0f)).bits(), bits) << middle;
    EXPECT_EQ(half(std::nextafter(middle, 1e6f)).bits(), bits + 1) << middle;
    EXPECT_EQ(half(-middle).bits(), even | 0x8000u) << middle;
  }
}

TEST(HalfTest, KnowsItsLimits) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(static_cast<float>(half(65504.0f)), 65504.0f);
  EXPECT_EQ(static_cast<float>(half(1e10f)), infinity);
  EXPECT_EQ(static_cast<float>(half(-infinity)), -infinity);
  EXPECT_EQ(static_cast<float>(half(0x1p-24f)), 0x1p-24f);
  EXPECT_EQ(half(0x1p-26f).bits(), 0);
  EXPECT_EQ(half(-0.0f).bits(), 0x8000);
  EXPECT_TRUE(half(-0.0f) == half(0.0f));
  EXPECT_FALSE(half(std::nanf("")) == half(std::nanf("")));
}

}  // namespace
}  // namespace tessera::test
