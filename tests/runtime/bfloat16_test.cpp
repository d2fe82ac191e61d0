// bfloat16: every bit pattern, and rounding between them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tessera/bfloat16.hpp>

namespace tessera::test {
namespace {

TEST(Bfloat16Test, EveryPatternSurvivesFloat) {
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    const auto value = bfloat16::from_bits(static_cast<std::uint16_t>(bits));
    const auto wide = static_cast<float>(value);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(wide), bits << 16);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16(wide)))) << bits;
    } else {
      EXPECT_EQ(bfloat16(wide).bits(), bits);
    }
  }
}

TEST(Bfloat16Test, RoundsToTheNearestAndTiesToEven) {
  for (unsigned bits = 0; bits < 0x7f80; bits++) {  // each finite value and its successor
    const float low = std::bit_cast<float>(bits << 16);
    const float middle = std::bit_cast<float>((bits << 16) | 0x8000U);
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(bfloat16(middle).bits(), even) << middle;
    EXPECT_EQ(bfloat16(std::nextafter(middle, low)).bits(), bits) << middle;
    EXPECT_EQ(bfloat16(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits(),
              bits + 1)
        << middle;
    EXPECT_EQ(bfloat16(-middle).bits(), even | 0x8000U) << middle;
  }
}

TEST(Bfloat16Test, HasTheRangeOfFloat) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(static_cast<float>(bfloat16(infinity)), infinity);
  EXPECT_EQ(static_cast<float>(bfloat16(std::numeric_limits<float>::max())), infinity);
  EXPECT_EQ(static_cast<float>(bfloat16(0x1.fep127F)), 0x1.fep127F);
  EXPECT_EQ(static_cast<float>(bfloat16(0x1p-133F)), 0x1p-133F);
  EXPECT_EQ(bfloat16(0.0F), bfloat16(-0.0F));
  // A NaN whose payload is in the lower bits alone.
  EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16(std::bit_cast<float>(0x7f800001U)))));
}

}  // namespace
}  // namespace tessera::test
