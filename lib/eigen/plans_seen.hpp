// Plans seen: what the solves of a context need not ask again.
#pragma once

#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "eigen/solver_plans.hpp"

namespace tessera::inline v0::eigen {

/// Plans, which the context keeps, that passed the test together.
template <class Test>
class PlansSeen {
 public:
  using Key = std::vector<SharedPlan>;

  bool contains(const Key& plans) {
    const std::lock_guard lock(mutex_);
    return seen_.contains(plans);
  }
  void add(Key plans) {
    const std::lock_guard lock(mutex_);
    seen_.insert(std::move(plans));
  }

 private:
  std::mutex mutex_;
  std::set<Key> seen_;
};

}  // namespace tessera::inline v0::eigen
