// Statistics of run times: medians, and intervals that hold the truth 95 times of 100.
#pragma once

#include <span>

namespace tessera::inline v0::tuning {

/// Of numbers that are there; an even count takes the middle of two.
double median(std::span<const double> values);

struct Interval {
  double lower, upper;
};

/// Of the median, from order statistics: without an assumption about the distribution. With fewer
/// than six values all of their range, which holds it less often.
Interval median_interval(std::span<const double> values);

}  // namespace tessera::inline v0::tuning
