// Reach: how far from the size that it was tuned for a kernel is still no slower than the default.
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

/// Around `problem`, the nearest first: larger and smaller sizes, those that are no multiples of
/// tiles among them, of products also other transposes and shapes. The rings end before the first
/// that has a problem which is too large, or takes too long where `problem` takes `seconds`.
std::vector<Ring> rings_around(const Problem& problem, const DeviceInfo& device, double seconds);

/// Times `winner` in turns with `standard` on ring after ring, and writes `neighbours` and `reach`
/// of the result: the factor of the last ring on which the winner was faster everywhere, by so much
/// that sizes between those that were measured are safe.
void measure_reach(Evaluator& evaluator, const std::vector<Ring>& rings, std::size_t winner,
                   std::size_t standard, double deadline, const Policy& policy, TuneResult& result);

}  // namespace tessera::inline v0::tuning
