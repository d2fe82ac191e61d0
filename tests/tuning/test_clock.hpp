// Test clock: a clock that stands still, so that no limit depends on the load of the machine.
#pragma once

#include <limits>
#include <set>
#include <string>
#include <utility>

#include "tuning/clock.hpp"

namespace tessera::test {

/// A clock on which steps take no time, except steps that never end, which take infinite time at
/// once. An empty variant means any.
class TestClock : public tuning::Clock {
 public:
  void never_ends(const std::string& variant, tuning::WorkerStep step) {
    endless_.insert({variant, step});
  }

  double now() const override { return 0; }
  double spent(const KernelChoice& kernel, tuning::WorkerStep step, double) const override {
    const bool endless = endless_.contains({kernel.variant, step}) || endless_.contains({"", step});
    return endless ? std::numeric_limits<double>::infinity() : 0;
  }

 private:
  std::set<std::pair<std::string, tuning::WorkerStep>> endless_;
};

/// As many rounds as a judgement needs, and no neighbours.
inline tuning::Policy few_rounds() {
  tuning::Policy policy;
  policy.max_rounds = policy.min_rounds;
  policy.neighbour_rounds = 0;
  return policy;
}

}  // namespace tessera::test
