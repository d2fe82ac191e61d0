// Finals: the best configurations timed in turns, so that drift affects all of them alike.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tessera/tune.hpp"
#include "tuning/evaluator.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

/// The times of one configuration, round by round.
struct Contender {
  std::size_t configuration;
  std::vector<double> times;  ///< one for each complete round that it was in
  bool out = false;           ///< no longer takes part: it failed, or is certainly slower
  bool failed = false;
};

/// Time of `a` over time of `b` in the rounds that both were in: the median and its 95 % interval,
/// which a disturbed round does not shift. The interval is [0, infinity) if there are fewer than
/// `policy.min_rounds`.
struct Ratio {
  double middle, lower, upper;
};
Ratio ratio(const Contender& a, const Contender& b, const Policy& policy);

/// Times at which rounds end, in seconds since the tuning began.
struct Deadline {
  double enough;  ///< rounds end here once there are enough for a judgement
  double last;
};

/// Times each contender once per round on `problem`, in alternating order, until the deadline, for
/// `max_rounds` rounds, or until one is certainly faster than all others. Contenders that are
/// certainly slower than the fastest drop out, except the first one, the default. The result is in
/// the order of `contenders`.
std::vector<Contender> run_rounds(
    Evaluator& evaluator, const Problem& problem, const std::vector<std::size_t>& contenders,
    std::size_t max_rounds, const Deadline& deadline, const Policy& policy,
    const std::function<void()>& after_round = [] {});

/// Sorts by the time ratio to the leader in common rounds, fastest first; those that failed last.
void rank(std::vector<Contender>& contenders, const Policy& policy);

}  // namespace tessera::inline v0::tuning
