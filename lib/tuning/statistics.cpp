// Medians by sorting, intervals by the binomial distribution and by Student's t.
#include "tuning/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace tessera::inline v0::tuning {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> all(values.begin(), values.end());
  std::ranges::sort(all);
  return all;
}

/// Two-sided 95 % quantile of Student's t.
double student(std::size_t degrees) {
  constexpr std::array kTable = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                 2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                                 2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
  if (degrees == 0) return std::numeric_limits<double>::infinity();
  if (degrees <= kTable.size()) return kTable[degrees - 1];
  return 1.960 + 2.4 / static_cast<double>(degrees);
}

}  // namespace

double median(std::span<const double> values) {
  const auto all = sorted(values);
  const std::size_t half = all.size() / 2;
  return all.size() % 2 == 1 ? all[half] : (all[half - 1] + all[half]) / 2;
}

Interval median_interval(std::span<const double> values) {
  const auto all = sorted(values);
  // The largest rank whose tail of the binomial distribution (n, 1/2) stays below 2.5 %.
  double tail = 0, term = std::pow(0.5, static_cast<double>(all.size()));
  std::size_t rank = 0;
  while (rank < all.size() / 2 && tail + term <= 0.025) {
    tail += term;
    term *= static_cast<double>(all.size() - rank) / static_cast<double>(rank + 1);
    rank++;
  }
  const std::size_t cut = rank == 0 ? 0 : rank - 1;
  return {all[cut], all[all.size() - 1 - cut]};
}

Interval mean_interval(std::span<const double> differences) {
  const double count = static_cast<double>(differences.size());
  double mean = 0, square = 0;
  for (const double d : differences) mean += d / count;
  for (const double d : differences) square += (d - mean) * (d - mean);
  const double half = differences.size() < 2 ? std::numeric_limits<double>::infinity()
                                             : student(differences.size() - 1) *
                                                   std::sqrt(square / (count - 1) / count);
  return {mean - half, mean + half};
}

}  // namespace tessera::inline v0::tuning
