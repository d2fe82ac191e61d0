// Two ways to a better vector, each by a QR decomposition, and the better of what they give.
#include "eigen/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tessera::inline v0::eigen {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kShift = 4;  // rounds that a combination is judged after: they smooth it

double sum(const Vector& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

double product(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(Vector& to, double factor, const Vector& v) {
  for (std::size_t i = 0; i < to.size(); i++) to[i] += factor * v[i];
}

/// Vectors of one sum and relative to the last: they differ by what is wrong with them alone.
struct Krylov {
  std::vector<Vector> vectors;
  Vector growth;  // A to the power k times the first is growth[k] vectors[k], but for a factor^k

  Krylov(std::vector<Vector> raw, const Vector& factors) : vectors(std::move(raw)), growth{1} {
    const Vector last = vectors.back();
    const auto grown = [&](std::size_t k) {
      return sum(vectors[k + 1]) / sum(vectors[k]) / factors[k];
    };
    const double unit = grown(factors.size() - 1);
    for (std::size_t k = 0; k < factors.size(); k++) growth.push_back(growth[k] * grown(k) / unit);
    const double total = sum(last);
    for (Vector& v : vectors) {
      const double scale = total / sum(v);
      for (std::size_t i = 0; i < v.size(); i++) v[i] *= scale / last[i];
    }
  }

  /// A to the power `shift` times the sum of weights[k] vectors[first - k].
  Vector combination(const Vector& weights, std::size_t first, std::size_t shift) const {
    Vector result(vectors.front().size());
    for (std::size_t k = 0; k < weights.size(); k++) {
      const std::size_t from = first - k;
      add(result, weights[k] * growth[from + shift] / growth[from], vectors[from + shift]);
    }
    return result;
  }
};

/// Of the bounds of Collatz and Wielandt, relative; infinite where a component is not positive.
double width(const Vector& x, const Vector& ax) {
  double lower = std::numeric_limits<double>::infinity(), upper = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    if (!(x[i] > 0) || !(ax[i] > 0)) return std::numeric_limits<double>::infinity();
    lower = std::min(lower, ax[i] / x[i]);
    upper = std::max(upper, ax[i] / x[i]);
  }
  return (upper - lower) / upper;
}

struct Factors {
  std::vector<Vector> q, r;  // r: the columns of a triangle
};

/// Of Q R = columns, by the modified Gram-Schmidt process, up to the first column that depends on
/// those before it: whose rest is below `noise`. That one is taken too, with a rest of `noise`,
/// where `dependent`.
Factors factor(std::vector<Vector> columns, double noise, bool dependent) {
  Factors result;
  for (Vector& column : columns) {
    Vector own;
    for (const Vector& q : result.q) {
      own.push_back(product(q, column));
      add(column, -own.back(), q);
    }
    const double length = std::sqrt(product(column, column));
    if (length < noise && !dependent) break;
    own.push_back(std::max(length, noise));
    for (double& x : column) x /= own.back();
    result.q.push_back(std::move(column));
    result.r.push_back(std::move(own));
    if (length < noise) break;
  }
  return result;
}

/// Solves R x = b in place.
void solve(const std::vector<Vector>& r, Vector& b) {
  for (std::size_t i = r.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < r.size(); k++) b[i] -= r[k][i] * b[k];
    b[i] /= r[i][i];
  }
}

/// Weights of sum 1 by which the combination of the differences is least, R^T R w = c 1: reduced
/// rank extrapolation. The best of all near the end.
Vector extrapolation_weights(const Krylov& krylov, std::size_t newest) {
  std::vector<Vector> differences;  // the newest first
  for (std::size_t k = newest; k > 0; k--) {
    differences.push_back(krylov.vectors[k]);
    add(differences.back(), -1, krylov.vectors[k - 1]);
  }
  const double noise = 0x1p-44 * std::sqrt(static_cast<double>(differences.front().size()));
  const auto r = factor(std::move(differences), noise, true).r;
  Vector w;
  for (const Vector& column : r) {  // R^T, row by row
    const std::size_t i = w.size();
    w.push_back((1 - std::inner_product(w.begin(), w.end(), column.begin(), 0.0)) / column[i]);
  }
  solve(r, w);
  const double total = sum(w);
  for (double& x : w) x /= total;
  return w;
}

/// What the powers of a small matrix, given by its columns, send a vector to; made by squaring.
Vector dominant(std::vector<Vector> h) {
  constexpr int kSquarings = 50;
  const std::size_t m = h.size();
  for (int i = 0; i < kSquarings; i++) {
    double largest = 0;
    for (const Vector& column : h) {
      for (const double x : column) largest = std::max(largest, std::fabs(x));
    }
    std::vector<Vector> square(m, Vector(m));
    for (std::size_t c = 0; c < m; c++) {
      for (std::size_t k = 0; k < m; k++) add(square[c], h[c][k] / largest / largest, h[k]);
    }
    h = std::move(square);
  }
  return *std::ranges::max_element(h, {}, [](const Vector& v) { return product(v, v); });
}

/// Weights of the Ritz vector to the largest Ritz value: of H = Q^T A Q, where A Q R are the
/// vectors' successors. The better one far from the end.
Vector ritz_weights(const Krylov& krylov, std::size_t newest) {
  const std::vector<Vector> basis(krylov.vectors.rend() - static_cast<std::ptrdiff_t>(newest) - 1,
                                  krylov.vectors.rend());
  const double noise = 0x1p-26 * std::sqrt(static_cast<double>(basis.front().size()));
  const auto [q, r] = factor(basis, noise, false);
  std::vector<Vector> h;
  for (std::size_t c = 0; c < q.size(); c++) {
    const std::size_t k = newest - c;
    const double grown = krylov.growth[k + 1] / krylov.growth[k];
    Vector own;
    for (const Vector& row : q) own.push_back(grown * product(row, krylov.vectors[k + 1]));
    for (std::size_t i = 0; i < c; i++) add(own, -r[c][i], h[i]);
    for (double& x : own) x /= r[c][c];
    h.push_back(std::move(own));
  }
  Vector w = dominant(std::move(h));
  solve(r, w);
  return w;
}

}  // namespace

std::optional<Vector> extrapolated(std::vector<Vector> raw, const Vector& factors) {
  const Vector last = raw.back();
  const Krylov krylov(std::move(raw), factors);
  const std::size_t steps = factors.size(), newest = steps - kShift;
  double narrowest = width(krylov.vectors[steps - 1], krylov.vectors[steps]);
  std::optional<Vector> best;
  for (const auto& weights_of : {extrapolation_weights, ritz_weights}) {
    Vector weights = weights_of(krylov, newest);
    const double sign = sum(weights) < 0 ? -1 : 1;
    for (double& x : weights) x *= sign;
    Vector candidate = krylov.combination(weights, newest, kShift);
    const double own = width(krylov.combination(weights, newest, kShift - 1), candidate);
    if (!(own < narrowest)) continue;
    narrowest = own;
    best = std::move(candidate);
  }
  if (!best) return {};
  const double scale = sum(krylov.vectors[steps]) / sum(*best);
  for (std::size_t i = 0; i < best->size(); i++) (*best)[i] *= scale * last[i];
  return best;
}

}  // namespace tessera::inline v0::eigen
