// Tarjan's algorithm with a stack of its own, and periods by breadth-first levels.
#include "eigen/classes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tessera::inline v0::eigen {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

class Tarjan {
 public:
  Tarjan(std::span<const double> a, std::size_t n)
      : a_(a), n_(n), number_(n, kNone), lowest_(n), next_edge_(n, 0), on_stack_(n, false) {}

  std::vector<Class> run() {
    for (std::size_t i = 0; i < n_; i++) {
      if (number_[i] == kNone) search(i);
    }
    std::ranges::reverse(classes_);  // a class is found after all that it has access to
    return std::move(classes_);
  }

 private:
  void enter(std::size_t i) {
    number_[i] = lowest_[i] = count_++;
    stack_.push_back(i);
    on_stack_[i] = true;
    path_.push_back(i);
  }

  void search(std::size_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::size_t i = path_.back();
      if (next_edge_[i] == n_) {
        leave(i);
        continue;
      }
      const std::size_t j = next_edge_[i]++;
      if (!(a_[i * n_ + j] > 0)) continue;
      if (number_[j] == kNone) {
        enter(j);
      } else if (on_stack_[j]) {
        lowest_[i] = std::min(lowest_[i], number_[j]);
      }
    }
  }

  void leave(std::size_t i) {
    path_.pop_back();
    if (!path_.empty()) lowest_[path_.back()] = std::min(lowest_[path_.back()], lowest_[i]);
    if (lowest_[i] != number_[i]) return;
    const auto first = std::ranges::find(stack_, i);
    classes_.emplace_back(first, stack_.end());
    stack_.erase(first, stack_.end());
    for (const std::size_t member : classes_.back()) on_stack_[member] = false;
    std::ranges::sort(classes_.back());
  }

  std::span<const double> a_;
  std::size_t n_, count_ = 0;
  std::vector<std::size_t> number_, lowest_, next_edge_, stack_, path_;
  std::vector<bool> on_stack_;
  std::vector<Class> classes_;
};

}  // namespace

std::vector<Class> classes_of(std::span<const double> a, std::size_t n) {
  return Tarjan(a, n).run();
}

std::size_t period_of(std::span<const double> a, std::size_t n, const Class& members) {
  std::vector<std::size_t> level(n, kNone);
  std::vector<std::size_t> queue = {members.front()};
  level[members.front()] = 0;
  std::size_t period = 0;
  for (std::size_t head = 0; head < queue.size(); head++) {
    const std::size_t i = queue[head];
    for (const std::size_t j : members) {
      if (!(a[i * n + j] > 0)) continue;
      if (level[j] == kNone) {
        level[j] = level[i] + 1;
        queue.push_back(j);
      }
      const std::size_t one = level[i] + 1, other = level[j];
      period = std::gcd(period, one > other ? one - other : other - one);
    }
  }
  return period;
}

}  // namespace tessera::inline v0::eigen
