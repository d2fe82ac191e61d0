// Measuring a device's limits, again where need be.
#include "commands/peaks.hpp"

#include <algorithm>

#include "figures.hpp"

namespace tessera::tool {

bool exceeds(const TuneResult& result, const Peak& peak) {
  const Measure measure = measure_of(result.problem);
  const double limit = peak.*measure.peak;
  return limit > 0 && measure.rate(result.best_seconds) > limit;
}

Peak larger(const Peak& one, const Peak& other) {
  return {std::max(one.flops, other.flops), std::max(one.bytes, other.bytes)};
}

const Peak& Peaks::of(ElementType type) {
  if (!peaks_.contains(type)) measure(type);
  return peaks_[type];
}

const Peak& Peaks::after(const TuneResult& result) {
  const ElementType type = result.problem.types.a;
  if (exceeds(result, of(type))) measure(type);
  return of(type);
}

void Peaks::measure(ElementType type) {
  peaks_[type] = larger(peaks_[type], measure_peak(engine_, type));
  for (auto& [other, peak] : peaks_) peak.bytes = std::max(peak.bytes, peaks_[type].bytes);
}

}  // namespace tessera::tool
