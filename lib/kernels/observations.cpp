// Regression of ratios by Cholesky factorisation; the dozens that a tuner makes take microseconds.
#include "kernels/observations.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <tuple>

namespace tessera::inline v0::kernels {
namespace {

/// Distance over which the covariance falls, in factors of two of one extent. From the logarithm of
/// one square product, the model predicts half of it for twice the extents, sqrt(3) away. For four
/// times the extents it predicts a fourteenth, because other tiles then fill the device, and other
/// levels of its caches hold the operands.
constexpr double kLength = 1.5;
/// Distance of a different transpose. Another order of the operands in memory changes a ratio about
/// as much as half or twice their extents.
constexpr double kTranspose = 1;
/// Variance of an observation that the extents do not explain, relative to the variance that they
/// explain. It allows deviations of 3 %, while ratios are typically 15 % from 1. Most deviations
/// depend on whether tiles divide a size. With less noise, two close sizes would tilt the
/// prediction far around them if tiles divide only one of the two.
constexpr double kNoise = 0.05;

}  // namespace

bool same_shape(const Problem& a, const Problem& b) {
  const auto shape = [](const Problem& of) {
    return std::tuple(of.m, of.n, of.k, of.batch, of.op_a, of.op_b);
  };
  return shape(a) == shape(b);
}

template <class Extents>
RatioModel::Coordinates RatioModel::coordinates(const Extents& of) {
  const auto log = [](std::size_t extent) {
    return std::log2(static_cast<double>(std::max<std::size_t>(extent, 1)));
  };
  return {log(of.m),
          log(of.n),
          log(of.k),
          log(of.batch),
          is_transposed(of.op_a) ? kTranspose : 0,
          is_transposed(of.op_b) ? kTranspose : 0};
}

double RatioModel::covariance(const Coordinates& a, const Coordinates& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); i++) square += (a[i] - b[i]) * (a[i] - b[i]);
  return std::exp(-square / (2 * kLength * kLength));
}

RatioModel::RatioModel(std::span<const Observation> observations) : weights_(observations.size()) {
  const auto count = static_cast<Eigen::Index>(observations.size());
  Eigen::Map<Eigen::VectorXd> weights(weights_.data(), count);
  Eigen::MatrixXd covariances(count, count);
  for (Eigen::Index i = 0; i < count; i++) {
    const Observation& seen = observations[static_cast<std::size_t>(i)];
    observed_.push_back(coordinates(seen));
    weights[i] = std::log(seen.ratio);
    for (Eigen::Index j = 0; j <= i; j++)
      covariances(i, j) = covariance(observed_.back(), observed_[static_cast<std::size_t>(j)]);
  }
  covariances.diagonal().array() += kNoise;
  covariances.llt().solveInPlace(weights);
}

double RatioModel::predict(const Problem& problem) const {
  const Coordinates at = coordinates(problem);
  double logarithm = 0;
  for (std::size_t i = 0; i < weights_.size(); i++)
    logarithm += weights_[i] * covariance(at, observed_[i]);
  return std::exp(logarithm);
}

}  // namespace tessera::inline v0::kernels
