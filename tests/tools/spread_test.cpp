// The spread of repetitions.
#include "commands/spread.hpp"

#include <gtest/gtest.h>

namespace tessera::tool {
namespace {

TEST(SpreadTest, AnEvenMedianIsTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(spread_of({4, 1, 8, 2}).median, 3);
  EXPECT_EQ(spread_of({4, 1, 8}).median, 4);
}

TEST(SpreadTest, KnowsTheExtremesAndTheCount) {
  const Spread spread = spread_of({4, 1, 8, 2});
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 8);
  EXPECT_EQ(spread.count, 4u);
  EXPECT_EQ(spread_of({}).count, 0u);
}

TEST(SpreadTest, ReadsAsATime) {
  EXPECT_EQ(text_of(spread_of({0.002})), "2 ms");
  EXPECT_EQ(text_of(spread_of({0.004, 0.001, 0.008, 0.002})), "3 ms (median of 4, 1 to 8)");
}

}  // namespace
}  // namespace tessera::tool
