// Intervals: rounding outwards in binary and in print.
#include "commands/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

namespace tessera::test {
namespace {

using tool::interval_text, tool::widened;

TEST(IntervalTest, PrintsExactBoundsAsTheyAre) {
  const auto expect = [](double bound, const char* text) {
    EXPECT_EQ(interval_text({bound, bound}).lower, text);
    EXPECT_EQ(interval_text({bound, bound}).upper, text);
  };
  expect(3, "3");
  expect(0, "0");
  expect(0.5, "0.5");
  expect(1024000, "1024000");
  expect(0x1p-10, "0.0009765625");
  expect(1e20, "1e+20");
  EXPECT_EQ(interval_text({1, std::numeric_limits<double>::infinity()}).upper, "inf");
}

TEST(IntervalTest, RoundsOutwardsWithTheDigitsThatItNeeds) {
  const auto tight = interval_text({0.1, 0.1});
  EXPECT_EQ(tight.lower, "0.1");  // 0.1000000000000000055…
  EXPECT_EQ(tight.upper, "0.10000000000000001");
  const auto wide = interval_text({2.0 / 3, 1 - 0x1p-53});
  EXPECT_EQ(wide.lower, "0.666666666666666");
  EXPECT_EQ(wide.upper, "1");
}

TEST(IntervalTest, PrintedBoundsAreOutsideOfAnyBounds) {
  std::mt19937_64 random(1);
  const auto precise = [](const std::string& text) { return std::strtold(text.c_str(), nullptr); };
  for (int i = 0; i < 20000; i++) {
    const std::uint64_t bits = random() & ~(std::uint64_t(1) << 63);
    double lower = 0;
    std::memcpy(&lower, &bits, sizeof(lower));
    if (!std::isfinite(lower)) continue;
    const double upper = std::nextafter(lower * (i % 2 == 0 ? 1 : 1.001), HUGE_VAL);
    const auto text = interval_text({lower, upper});
    EXPECT_LE(precise(text.lower), lower) << text.lower;
    EXPECT_GE(precise(text.upper), upper) << text.upper;
    EXPECT_LE(precise(text.upper) - precise(text.lower), 1.5L * upper - 0.5L * lower) << text.upper;
  }
}

TEST(IntervalTest, WideningHoldsTheRootsOfAllMatricesThatRoundTheSame) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> numbers(1, 2);
  for (const double rounding : {0x1p-53, 0x1p-24}) {
    for (int i = 0; i < 1000; i++) {
      const double root = std::ldexp(numbers(random), static_cast<int>(random() % 2000) - 1000);
      const auto [lower, upper] = widened({root, root}, rounding);
      const long double precise = root;
      EXPECT_LE(lower, precise * (1 - static_cast<long double>(rounding)));
      EXPECT_GE(upper, precise * (1 + static_cast<long double>(rounding)));
      EXPECT_LE((upper - lower) / upper, tool::widening(rounding));
    }
  }
  EXPECT_EQ(widened({2, 3}, 0).lower, 2);
  EXPECT_EQ(widened({0, 0}, 0x1p-24).upper, 0);
  EXPECT_EQ(widened({0, 0}, 0x1p-24).lower, 0);
}

}  // namespace
}  // namespace tessera::test
