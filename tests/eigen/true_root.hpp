// True root: bounds of the spectral radius of an irreducible matrix in long double, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tessera::test {

using Number = long double;

/// Bounds of the spectral radius.
struct Bounds {
  Number lower, upper;
};

/// Ratios (A v) / v in long double, widened by their rounding.
inline Bounds ratio_bounds(const std::vector<Number>& a, const std::vector<Number>& v) {
  const std::size_t n = v.size();
  Bounds bounds{INFINITY, 0};
  for (std::size_t i = 0; i < n; i++) {
    Number sum = 0;
    for (std::size_t j = 0; j < n; j++) sum += a[i * n + j] * v[j];
    bounds.lower = std::min(bounds.lower, sum / v[i]);
    bounds.upper = std::max(bounds.upper, sum / v[i]);
  }
  const Number rounding = static_cast<Number>(n + 4) * 0x1p-64L;
  return {bounds.lower * (1 - rounding), bounds.upper * (1 + rounding)};
}

/// Noda's iteration ("Note on the computation of the maximal eigenvalue of a non-negative
/// irreducible matrix", Numer. Math. 17, 1971) from a positive vector: (upper I - A) w = v, by
/// elimination without pivoting, which is stable for M-matrices. In double: any positive v gives
/// true bounds.
inline Bounds reference(const std::vector<Number>& a, std::vector<Number> v) {
  const std::size_t n = v.size();
  Bounds best = ratio_bounds(a, v);
  for (int turn = 0; turn < 10 && best.upper - best.lower > 1e-15L * best.upper; turn++) {
    std::vector<double> m(n * n), w(n);
    const double scale = static_cast<double>(best.upper);
    for (std::size_t i = 0; i < n * n; i++)
      m[i] = (i % (n + 1) == 0 ? 1 + 0x1p-52 : 0) - static_cast<double>(a[i] / scale);
    for (std::size_t i = 0; i < n; i++) w[i] = static_cast<double>(v[i]);
    for (std::size_t k = 0; k < n; k++) {
      for (std::size_t i = k + 1; i < n; i++) {
        const double factor = m[i * n + k] / m[k * n + k];
        if (factor == 0) continue;
        for (std::size_t j = k + 1; j < n; j++) m[i * n + j] -= factor * m[k * n + j];
        w[i] -= factor * w[k];
      }
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; j++) w[i] -= m[i * n + j] * w[j];
      w[i] /= m[i * n + i];
    }
    const double largest = *std::ranges::max_element(w);
    if (!std::ranges::all_of(w, [&](double x) { return x / largest > 0 && std::isfinite(x); }))
      break;  // at the precision's end
    std::ranges::transform(w, v.begin(), [&](double x) { return x / largest; });
    const Bounds next = ratio_bounds(a, v);
    best = {std::max(best.lower, next.lower), std::min(best.upper, next.upper)};
  }
  return best;
}

/// The residual: ||A v - value v|| / (value ||v||), maximum norms.
inline Number residual(const std::vector<Number>& a, const std::vector<Number>& v, double value) {
  const std::size_t n = v.size();
  Number largest = 0;
  for (std::size_t i = 0; i < n; i++) {
    Number sum = 0;
    for (std::size_t j = 0; j < n; j++) sum += a[i * n + j] * v[j];
    largest = std::max(largest, std::fabs(sum - value * v[i]));
  }
  return largest / value / *std::ranges::max_element(v);
}

}  // namespace tessera::test
