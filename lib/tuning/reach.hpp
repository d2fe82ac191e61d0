// Reach: how far from the size it was tuned for a kernel is still no slower than the default.
#pragma once

#include <vector>

#include "tessera/tune.hpp"
#include "tuning/evaluator.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

/// Problems that are up to `factor` away from another one.
struct Ring {
  double factor;
  std::vector<Problem> problems;
};

/// Rings around `problem`, nearest first: larger and smaller sizes, including some that are not
/// multiples of tiles, and for products other transposes and shapes. They end before the first ring
/// with a problem that is too large, or would take too long given that `problem` takes `seconds`.
std::vector<Ring> rings_around(const Problem& problem, const DeviceInfo& device, double seconds,
                               const Policy& policy);

/// Times `winner` in turns with `standard`, ring by ring, and sets `neighbours` and `reach` of the
/// result: the factor of the last ring on which the winner was faster everywhere, by a margin that
/// makes sizes between the measured ones safe.
void measure_reach(Evaluator& evaluator, const std::vector<Ring>& rings, std::size_t winner,
                   std::size_t standard, double deadline, const Policy& policy, TuneResult& result);

}  // namespace tessera::inline v0::tuning
