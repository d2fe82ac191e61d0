// Plans seen: what the solves of a context need not ask again.
#pragma once

#include <mutex>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "eigen/solver_plans.hpp"

namespace tessera::inline v0::eigen {

/// Plans, which the context keeps, that passed the test together, in solves of this kind.
template <class Test>
class PlansSeen {
 public:
  using Key = std::tuple<std::vector<SharedPlan>, EigenMethod, StopTest>;

  bool contains(const Key& key) {
    const std::lock_guard lock(mutex_);
    return seen_.contains(key);
  }
  void add(Key key) {
    const std::lock_guard lock(mutex_);
    seen_.insert(std::move(key));
  }

 private:
  std::mutex mutex_;
  std::set<Key> seen_;
};

}  // namespace tessera::inline v0::eigen
