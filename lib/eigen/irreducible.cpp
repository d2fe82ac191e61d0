// Max-plus scaling, Noda's iteration, and elimination without subtractions.
#include "eigen/irreducible.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::inline v0::eigen {
namespace {

constexpr double kNoEdge = -std::numeric_limits<double>::infinity();

/// Policy iteration in max-plus algebra: a policy names a successor of each node.
class MaxPlus {
 public:
  MaxPlus(std::span<const double> a, std::size_t n)
      : n_(n), weights_(n * n), policy_(n, 0), mean_(n, 0), potential_(n, 0) {
    for (std::size_t i = 0; i < n * n; i++) weights_[i] = a[i] > 0 ? std::ilogb(a[i]) : kNoEdge;
    for (std::size_t i = 0; i < n; i++) {
      const auto row = weights_.begin() + static_cast<std::ptrdiff_t>(i * n);
      policy_[i] = static_cast<std::size_t>(
          std::max_element(row, row + static_cast<std::ptrdiff_t>(n)) - row);
    }
  }

  /// Few steps are enough; any potentials are a scaling.
  void run() {
    constexpr int kSteps = 100;
    evaluate();
    for (int i = 0; i < kSteps && (improve_means() || improve_potentials()); i++) evaluate();
  }

  double mean() const { return *std::ranges::max_element(mean_); }
  const std::vector<double>& potential() const { return potential_; }

 private:
  static constexpr double kNoise = 1e-6;  // means are multiples of 1 / n

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
        if (weight(i, j) == kNoEdge || mean_[j] <= mean_[policy_[i]] + kNoise) continue;
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
  std::vector<double> weights_;
  std::vector<std::size_t> policy_;
  std::vector<double> mean_, potential_;
};

/// The sum of row i of A times v, and what its rounding lost (Ogita, Rump and Oishi, "Accurate sum
/// and dot product", SIAM J. Sci. Comput. 26, 2005).
double product_of_row(const ScaledMatrix& a, std::size_t i, std::span<const double> v) {
  const double* const row = a.elements.data() + i * a.size();
  double high = 0, low = 0;
  for (std::size_t j = 0; j < a.size(); j++) {
    if (row[j] == 0) continue;
    const double product = row[j] * v[j], sum = high + product, of_product = sum - high;
    low +=
        ((high - (sum - of_product)) + (product - of_product)) + std::fma(row[j], v[j], -product);
    high = sum;
  }
  return high + low;
}

Root rated(const ScaledMatrix& a, std::vector<double> v) {
  auto ratios = ratios_of(a, v);
  const auto certificate = certify(evidence_of(v, ratios), precision_of_ratios(a.size()));
  return {std::move(v), std::move(ratios), certificate.value()};
}

double width(const Root& root) {
  return (root.certificate.upper - root.certificate.lower) / root.certificate.upper;
}

/// Did a component change by more than a factor of two? Some may have to sink by hundreds of
/// decades, step by step, before the ratio of their row takes notice and the bounds narrow.
bool is_moved(std::span<const double> before, std::span<const double> after) {
  for (std::size_t i = 0; i < before.size(); i++) {
    if (!(before[i] <= 2 * after[i] && after[i] <= 2 * before[i])) return true;
  }
  return false;
}

}  // namespace

ScaledMatrix balanced(std::span<const double> a, std::size_t n) {
  MaxPlus max_plus(a, n);
  max_plus.run();
  std::vector<int> exponents(n);
  std::ranges::transform(max_plus.potential(), exponents.begin(),
                         [](double x) { return static_cast<int>(std::lround(x)); });
  return scaled(a, std::move(exponents), static_cast<int>(std::lround(max_plus.mean())));
}

ScaledMatrix scaled(std::span<const double> a, std::vector<int> exponents, int root) {
  const std::size_t n = exponents.size();
  std::vector<double> elements(n * n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++)
      elements[i * n + j] = std::ldexp(a[i * n + j], exponents[j] - exponents[i] - root);
  }
  return {std::move(elements), std::move(exponents), root};
}

Precision precision_of_ratios(std::size_t n) {
  const double size = static_cast<double>(n);
  return {.relative = (4 + size * size * 0x1p-53) * 0x1p-53,
          .smallest = std::numeric_limits<double>::denorm_min(),
          .floor = 0};
}

std::vector<double> ratios_of(const ScaledMatrix& a, std::span<const double> v) {
  std::vector<double> ratios(a.size());
  for (std::size_t i = 0; i < a.size(); i++) ratios[i] = product_of_row(a, i, v) / v[i];
  return ratios;
}

Root find_root(const ScaledMatrix& a, double tolerance, double enough) {
  constexpr int kSteps = 50;
  Root best = rated(a, std::vector<double>(a.size(), 1)), last = best;
  for (int step = 0; step < kSteps; step++) {
    if (width(best) <= tolerance || best.certificate.upper < enough) break;
    const double highest = *std::ranges::max_element(last.ratios);
    auto next = solve_below(a, highest * (1 + 0x1p-50), last.vector, last.ratios, last.vector);
    const double largest = *std::ranges::max_element(next);
    for (double& component : next) component /= largest;
    if (!(*std::ranges::min_element(next) > 0) || !std::isfinite(largest)) break;
    const bool moves = is_moved(last.vector, next);
    last = rated(a, std::move(next));
    const bool narrows = width(last) < width(best);
    if (narrows) best = last;
    if (!narrows && !moves) break;
  }
  return best;
}

std::vector<double> solve_below(const ScaledMatrix& a, double shift, std::span<const double> v,
                                std::span<const double> ratios, std::vector<double> b) {
  // With w = diag(v) x: the off-diagonal elements of A diag(v), and what the rows' sums lack to
  // the diagonal, are all that elimination needs to know.
  const std::size_t n = a.size();
  std::vector<double> off = a.elements, excess(n), pivots(n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++) off[i * n + j] *= v[j];
    excess[i] = (shift - ratios[i]) * v[i];
  }
  for (std::size_t k = 0; k < n; k++) {
    const double* const row = off.data() + k * n;
    double pivot = excess[k];
    for (std::size_t j = k + 1; j < n; j++) pivot += row[j];
    pivots[k] = pivot;
    for (std::size_t i = k + 1; i < n; i++) {
      double* const target = off.data() + i * n;
      const double factor = target[k] / pivot;
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; j++) target[j] += factor * row[j];
      excess[i] += factor * excess[k];
      b[i] += factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    double sum = b[k];
    for (std::size_t j = k + 1; j < n; j++) sum += off[k * n + j] * b[j];
    b[k] = sum / pivots[k];
  }
  for (std::size_t i = 0; i < n; i++) b[i] *= v[i];
  return b;
}

}  // namespace tessera::inline v0::eigen
