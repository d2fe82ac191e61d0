// A device's peaks: no share of a limit that a kernel exceeds.
#include "commands/peaks.hpp"

#include <gtest/gtest.h>

#include "figures.hpp"
#include "sample_results.hpp"

namespace tessera::test {
namespace {

TEST(PeaksTest, AKernelThatIsFasterExceedsItsOwnLimitAlone) {
  const TuneResult product = multiply_result(), sums = row_sum_result();
  const double flops = tool::measure_of(product.problem).rate(product.best_seconds),
               bytes = tool::measure_of(sums.problem).rate(sums.best_seconds);
  EXPECT_TRUE(tool::exceeds(product, {0.9 * flops, 1}));
  EXPECT_FALSE(tool::exceeds(product, {1.1 * flops, 1}));
  EXPECT_TRUE(tool::exceeds(sums, {1, 0.9 * bytes}));
  EXPECT_FALSE(tool::exceeds(sums, {1, 1.1 * bytes}));
  EXPECT_FALSE(tool::exceeds(product, {0, bytes})) << "a type without multiply-adds";
  EXPECT_FALSE(tool::exceeds(empty_result(), {1, 1}));
}

TEST(PeaksTest, TheLargerOfTwoMeasurementsCounts) {
  const Peak both = tool::larger({3, 40}, {5, 20});
  EXPECT_EQ(both.flops, 5);
  EXPECT_EQ(both.bytes, 40);
}

TEST(PeaksTest, ThereIsNoShareAboveOne) {
  const tool::Measure measure{.work = 100, .unit = "FLOP/s", .peak = &Peak::flops};
  EXPECT_DOUBLE_EQ(*measure.share(1, Peak{200, 1}), 0.5);
  EXPECT_DOUBLE_EQ(*measure.share(1, Peak{100, 1}), 1);
  EXPECT_FALSE(measure.share(1, Peak{99, 1}));
}

}  // namespace
}  // namespace tessera::test
