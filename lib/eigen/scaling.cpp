// Max-plus scaling: policy iteration, and matrices multiplied by powers of two.
#include "eigen/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace tessera::inline v0::eigen {
namespace {

/// Below the exponent of every double.
constexpr std::int16_t kNoEdge = std::numeric_limits<std::int16_t>::min();

/// Policy iteration in max-plus algebra: a policy names a successor of each node.
class MaxPlus {
 public:
  MaxPlus(std::span<const double> a, std::size_t n)
      : n_(n), weights_(n * n), policy_(n, 0), mean_(n, 0), potential_(n, 0) {
    for (std::size_t i = 0; i < n * n; i++)
      weights_[i] = a[i] > 0 ? static_cast<std::int16_t>(std::ilogb(a[i])) : kNoEdge;
    for (std::size_t i = 0; i < n; i++) {
      const auto row = weights_.begin() + static_cast<std::ptrdiff_t>(i * n);
      policy_[i] = static_cast<std::size_t>(
          std::max_element(row, row + static_cast<std::ptrdiff_t>(n)) - row);
    }
  }

  /// Few steps are enough; any potentials are a scaling.
  std::vector<int> run() {
    constexpr int kSteps = 100;
    evaluate();
    for (int i = 0; i < kSteps && (improve_means() || improve_potentials()); i++) evaluate();
    std::vector<int> exponents(n_);
    std::ranges::transform(potential_, exponents.begin(),
                           [](double x) { return static_cast<int>(std::lround(x)); });
    return exponents;
  }

  /// The largest exponent of an element after scaling.
  int largest(std::span<const int> exponents) const {
    int largest = std::numeric_limits<int>::min();
    for (std::size_t i = 0; i < n_; i++) {
      for (std::size_t j = 0; j < n_; j++) {
        if (is_edge(i, j))
          largest = std::max(largest, weights_[i * n_ + j] + exponents[j] - exponents[i]);
      }
    }
    return largest;
  }

 private:
  static constexpr double kNoise = 1e-6;  // means are multiples of 1 / n

  bool is_edge(std::size_t i, std::size_t j) const { return weights_[i * n_ + j] != kNoEdge; }
  double weight(std::size_t i, std::size_t j) const { return weights_[i * n_ + j]; }

  /// The mean weight of the cycle that each node's path ends in, and the weight on the way there.
  void evaluate() {
    std::vector<std::size_t> walk, seen_in(n_, n_);
    for (std::size_t start = 0; start < n_; start++) {
      if (seen_in[start] != n_) continue;
      walk.clear();
      std::size_t i = start;
      for (; seen_in[i] == n_; i = policy_[i]) {
        seen_in[i] = start;
        walk.push_back(i);
      }
      if (seen_in[i] == start) evaluate_cycle(i);
      for (; !walk.empty(); walk.pop_back()) {
        const std::size_t node = walk.back(), next = policy_[node];
        mean_[node] = mean_[next];
        if (node != i) potential_[node] = weight(node, next) - mean_[next] + potential_[next];
      }
    }
  }

  void evaluate_cycle(std::size_t root) {
    double sum = weight(root, policy_[root]), length = 1;
    for (std::size_t i = policy_[root]; i != root; i = policy_[i], length++)
      sum += weight(i, policy_[i]);
    mean_[root] = sum / length;
  }

  bool improve_means() {
    bool improved = false;
    for (std::size_t i = 0; i < n_; i++) {
      for (std::size_t j = 0; j < n_; j++) {
        if (!is_edge(i, j) || mean_[j] <= mean_[policy_[i]] + kNoise) continue;
        policy_[i] = j;
        improved = true;
      }
    }
    return improved;
  }

  bool improve_potentials() {
    bool improved = false;
    for (std::size_t i = 0; i < n_; i++) {
      double best = potential_[i] + kNoise;
      for (std::size_t j = 0; j < n_; j++) {
        if (!is_edge(i, j)) continue;
        const double potential = weight(i, j) - mean_[i] + potential_[j];
        if (!(potential > best)) continue;
        best = potential;
        policy_[i] = j;
        improved = true;
      }
    }
    return improved;
  }

  std::size_t n_;
  std::vector<std::int16_t> weights_;
  std::vector<std::size_t> policy_;
  std::vector<double> mean_, potential_;
};

}  // namespace

ScaledMatrix balanced(std::span<const double> a, std::size_t n) {
  MaxPlus max_plus(a, n);
  auto exponents = max_plus.run();
  const int root = max_plus.largest(exponents);
  return scaled(a, std::move(exponents), root);
}

ScaledMatrix scaled(std::span<const double> a, std::vector<int> exponents, int root) {
  const std::size_t n = exponents.size();
  std::vector<double> elements(n * n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++)
      elements[i * n + j] = std::ldexp(a[i * n + j], exponents[j] - exponents[i] - root);
  }
  return {a, std::move(elements), std::move(exponents), root};
}

}  // namespace tessera::inline v0::eigen
