// A device's limits as they are measured: all of them, for every type.
#include <gtest/gtest.h>

#include <cmath>

#include "support/device.hpp"
#include "tessera/tune.hpp"

namespace tessera {
namespace {

TEST(PeakTest, ArithmeticAndMemoryAreMeasured) {
  const bool has_double = test::engine().device().has_double;
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int8}) {
    const Peak peak = measure_peak(test::engine(), type);
    EXPECT_TRUE(std::isfinite(peak.bytes) && peak.bytes > 0) << to_string(type);
    EXPECT_TRUE(std::isfinite(peak.flops)) << to_string(type);
    EXPECT_EQ(peak.flops > 0, type != ElementType::float64 || has_double) << to_string(type);
  }
}

}  // namespace
}  // namespace tessera
