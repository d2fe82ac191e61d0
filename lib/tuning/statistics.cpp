// Medians by sorting, intervals by the binomial distribution.
#include "tuning/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::inline v0::tuning {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> all(values.begin(), values.end());
  std::ranges::sort(all);
  return all;
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

}  // namespace tessera::inline v0::tuning
