// Decimals: their values, and whether a double holds them exactly.
#include "files/decimal.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace tessera::test {
namespace {

using tool::decimal, tool::fraction;

TEST(DecimalTest, KnowsWhatADoubleHoldsExactly) {
  for (const char* text :
       {"0", "-0.0", "0e99999", "1", "+1.5", "-0.125", "1.000000000000000000e+00", "1e22", "512.5",
        "9007199254740992", "18014398509481982", "10000000000000000000000", "1.5E+00003", ".5",
        "5.", "0.0000000298023223876953125", "1.5D+01", "2d0"})
    EXPECT_TRUE(decimal(text) && decimal(text)->exact) << text;
  for (const char* text :
       {"0.1", "0.55000000000000004", "1e23", "9007199254740993", "100000000000000000000000",
        "3.0000000000000000001", "5e-324", "1e-5", "1.1D-01", "1e300"})
    EXPECT_TRUE(decimal(text) && !decimal(text)->exact) << text;
  EXPECT_EQ(decimal("0.15D+01")->value, 1.5);
  EXPECT_EQ(decimal(" -2.0d0 ")->value, -2);
}

TEST(DecimalTest, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "d", "1d", "1.5D+01x", "0x10", "1e999", "1e-999", "1,5", "1 2",
                           "--1", "infd0", "1d0d0"})
    EXPECT_FALSE(decimal(text)) << text;
}

TEST(DecimalTest, ReadsQuotientsOfIntegers) {
  EXPECT_EQ(fraction("1/3")->value, 1.0 / 3);
  EXPECT_FALSE(fraction("1/3")->exact);
  EXPECT_TRUE(fraction(" -6 / 3 ")->exact);
  EXPECT_TRUE(fraction("1/4")->exact);
  for (const char* text : {"1/0", "1/", "/3", "1.5/2", "1/2/3", "9007199254740993/1", "1"})
    EXPECT_FALSE(fraction(text)) << text;
}

}  // namespace
}  // namespace tessera::test
