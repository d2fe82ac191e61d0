// Statistics of run times: medians and their 95 % confidence intervals.
#pragma once

#include <span>

namespace tessera::inline v0::tuning {

/// The median of at least one value; for an even count, the mean of the middle two.
double median(std::span<const double> values);

struct Interval {
  double lower, upper;
};

/// The 95 % interval of the median from order statistics, for any distribution. With fewer than six
/// values it is their whole range, which contains the median less often.
Interval median_interval(std::span<const double> values);

}  // namespace tessera::inline v0::tuning
