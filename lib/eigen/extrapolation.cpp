// Two methods for a better vector, each by a QR decomposition, and the better of their results.
#include "eigen/extrapolation.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::inline v0::eigen {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

constexpr Index kShift = 4;  // rounds that smooth a combination before it is evaluated

/// Vectors as columns, scaled to equal sums and relative to the last one: they differ by errors.
struct Krylov {
  MatrixXd vectors;
  VectorXd growth;  // A^k times the first vector is growth[k] * vectors[k], up to a factor^k

  Krylov(const MatrixXd& raw, const std::vector<double>& factors) {
    const VectorXd sums = raw.colwise().sum();
    const Index steps = raw.cols() - 1;
    const VectorXd grown = sums.tail(steps)
                               .cwiseQuotient(sums.head(steps))
                               .cwiseQuotient(VectorXd::Map(factors.data(), steps));
    growth = VectorXd::Ones(raw.cols());
    for (Index k = 0; k < steps; k++) growth[k + 1] = growth[k] * grown[k] / grown[steps - 1];
    const VectorXd total = VectorXd::Constant(raw.cols(), sums[steps]);
    vectors = raw * total.cwiseQuotient(sums).asDiagonal();
    vectors.array().colwise() /= raw.col(steps).array();
  }

  /// A^shift times the sum of weights[k] * vectors[newest - k].
  VectorXd combination(const VectorXd& weights, Index newest, Index shift) const {
    VectorXd result = VectorXd::Zero(vectors.rows());
    for (Index k = 0; k < weights.size(); k++) {
      const Index from = newest - k, to = from + shift;
      result += weights[k] * growth[to] / growth[from] * vectors.col(to);
    }
    return result;
  }
};

/// Width of the Collatz-Wielandt bounds, relative; infinite where a component is not positive.
double width(const VectorXd& x, const VectorXd& ax) {
  if (!(x.array() > 0).all() || !(ax.array() > 0).all())
    return std::numeric_limits<double>::infinity();
  const VectorXd ratios = ax.cwiseQuotient(x);
  return (ratios.maxCoeff() - ratios.minCoeff()) / ratios.maxCoeff();
}

/// Q R = columns.
struct Factors {
  Eigen::HouseholderQR<MatrixXd> qr;
  MatrixXd r;  // square
  Index rank;  // columns before the first that depends on its predecessors up to `noise`

  Factors(const MatrixXd& columns, double noise) : qr(columns) {
    const Index size = columns.cols(), rows = std::min(columns.rows(), size);
    r = MatrixXd::Zero(size, size);
    r.topRows(rows) = qr.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
    for (rank = 0; rank < size && std::fabs(r(rank, rank)) >= noise;) rank++;
  }
};

/// Reduced rank extrapolation: weights of sum 1 that minimise the combination of the differences,
/// R^T R w = c 1. The better method close to convergence.
VectorXd extrapolation_weights(const Krylov& krylov, Index newest) {
  const MatrixXd differences =
      (krylov.vectors.middleCols(1, newest) - krylov.vectors.leftCols(newest)).rowwise().reverse();
  const double noise = 0x1p-44 * std::sqrt(static_cast<double>(differences.rows()));
  auto [qr, r, rank] = Factors(differences, noise);
  if (rank < newest) r(rank, rank) = noise;  // the first dependent column is included
  const Index size = std::min(rank + 1, newest);
  const auto triangle = r.topLeftCorner(size, size).triangularView<Eigen::Upper>();
  const VectorXd w = triangle.solve(triangle.transpose().solve(VectorXd::Ones(size).eval()));
  return w / w.sum();
}

/// The dominant eigenvector of a small matrix, by repeated squaring.
VectorXd dominant(MatrixXd h) {
  constexpr int kSquarings = 50;
  for (int i = 0; i < kSquarings; i++) {
    h /= h.cwiseAbs().maxCoeff();
    h = h * h;
  }
  Index largest = 0;
  h.colwise().squaredNorm().maxCoeff(&largest);
  return h.col(largest);
}

/// Weights of the Ritz vector for the largest Ritz value of H = Q^T A Q, where A Q R are the
/// vectors' successors. The better method far from convergence.
VectorXd ritz_weights(const Krylov& krylov, Index newest) {
  const MatrixXd basis = krylov.vectors.leftCols(newest + 1).rowwise().reverse();
  const auto [qr, r, rank] = Factors(basis, 0x1p-26 * std::sqrt(static_cast<double>(basis.rows())));
  const VectorXd grown =
      krylov.growth.segment(1, newest + 1).cwiseQuotient(krylov.growth.head(newest + 1)).reverse();
  MatrixXd successors = krylov.vectors.middleCols(1, newest + 1).rowwise().reverse();
  successors = (qr.householderQ().transpose() * (successors * grown.asDiagonal())).eval();
  const auto triangle = r.topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
  return triangle.solve(
      dominant(triangle.solve<Eigen::OnTheRight>(successors.topLeftCorner(rank, rank))));
}

}  // namespace

std::optional<std::vector<double>> extrapolated(const std::vector<std::vector<double>>& vectors,
                                                const std::vector<double>& factors) {
  MatrixXd raw(static_cast<Index>(vectors.front().size()), static_cast<Index>(vectors.size()));
  for (Index k = 0; k < raw.cols(); k++)
    raw.col(k) = VectorXd::Map(vectors[static_cast<std::size_t>(k)].data(), raw.rows());
  const Krylov krylov(raw, factors);
  const Index steps = raw.cols() - 1, newest = steps - kShift;
  double narrowest = width(krylov.vectors.col(steps - 1), krylov.vectors.col(steps));
  std::optional<VectorXd> best;
  for (const auto& weights_of : {extrapolation_weights, ritz_weights}) {
    VectorXd weights = weights_of(krylov, newest);
    if (weights.sum() < 0) weights = -weights;
    VectorXd candidate = krylov.combination(weights, newest, kShift);
    const double own = width(krylov.combination(weights, newest, kShift - 1), candidate);
    if (!(own < narrowest)) continue;
    narrowest = own;
    best = std::move(candidate);
  }
  if (!best) return {};
  const double scale = krylov.vectors.col(steps).sum() / best->sum();
  const VectorXd result = scale * best->cwiseProduct(raw.col(steps));
  return std::vector<double>(result.begin(), result.end());
}

}  // namespace tessera::inline v0::eigen
