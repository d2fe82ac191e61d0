// Finals: the best configurations timed in turns, so that what drifts, drifts for all.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tessera/tune.hpp"
#include "tuning/laboratory.hpp"

namespace tessera::inline v0::tuning {

/// The times of one configuration, round by round.
struct Contender {
  std::size_t configuration;
  std::vector<double> times;  ///< of the rounds that it was in
  bool out = false;           ///< it takes part no longer: it failed, or is slower for certain
  bool failed = false;
};

/// Rounds in an order that alternates, each contender once a round, until the deadline, or until
/// one is faster than all others for certain. Those that are slower than the fastest for certain
/// leave, but for the first one, the default. The fastest comes first, then by median.
std::vector<Contender> run_finals(Laboratory& laboratory,
                                  const std::vector<std::size_t>& contenders, double deadline,
                                  const std::function<void()>& after_round);

/// Time of `a` over that of `b` in the rounds that both were in: the 95 % interval.
struct Ratio {
  double lower, upper;
};
Ratio ratio(const Contender& a, const Contender& b);

}  // namespace tessera::inline v0::tuning
