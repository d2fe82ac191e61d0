// Finals: the best configurations timed in turns, so that what drifts, drifts for all.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tessera/tune.hpp"
#include "tuning/evaluator.hpp"

namespace tessera::inline v0::tuning {

/// The times of one configuration, round by round.
struct Contender {
  std::size_t configuration;
  std::vector<double> times;  ///< of the rounds that it was in
  bool out = false;           ///< it takes part no longer: it failed, or is slower for certain
  bool failed = false;
};

/// Time of `a` over that of `b` in the rounds that both were in: the median, and its 95 % interval,
/// which a round that something else held up does not move. Without an end where rounds are too
/// few.
struct Ratio {
  double middle, lower, upper;
};
Ratio ratio(const Contender& a, const Contender& b);

/// When rounds end, in seconds since the tuning began.
struct Deadline {
  double enough;  ///< those that a judgement needs go on after it
  double last;
};

/// Rounds on `problem` in an order that alternates, each contender once a round, until the
/// deadline, so many rounds, or until one is faster than all others for certain. Those that are
/// slower than the fastest for certain leave, but for the first one, the default. In the order of
/// `contenders`.
std::vector<Contender> run_rounds(
    Evaluator& evaluator, const Problem& problem, const std::vector<std::size_t>& contenders,
    std::size_t max_rounds, const Deadline& deadline,
    const std::function<void()>& after_round = [] {});

/// The fastest first, each by its rounds with the leader; those that failed last.
void rank(std::vector<Contender>& contenders);

}  // namespace tessera::inline v0::tuning
