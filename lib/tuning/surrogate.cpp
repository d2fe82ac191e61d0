// Gaussian processes by Cholesky factorisation; a few hundred observations take milliseconds.
#include "tuning/surrogate.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace tessera::inline v0::tuning {
namespace {

constexpr std::size_t kMaxRanks = 16;  // no parameter has more values

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd;

}  // namespace

Surrogate::Surrogate(const Space& space, const Policy& policy) : space_(&space), policy_(policy) {
  std::size_t variants = 0;
  for (std::size_t i = 0; i < space.size(); i++)
    variants = std::max(variants, space.variant(i) + 1);
  models_.resize(variants);
  for (Model& model : models_) {
    model.rates.resize(space.dimensions());
    model.falls.resize(space.dimensions() * kMaxRanks);
    for (std::size_t p = 0; p < space.dimensions(); p++) set_rate(model, p, 0.5);
  }
}

void Surrogate::set_rate(Model& model, std::size_t parameter, double rate) const {
  model.rates[parameter] = rate;
  for (std::size_t ranks = 0; ranks < kMaxRanks; ranks++)
    model.falls[parameter * kMaxRanks + ranks] = std::exp(-rate * static_cast<double>(ranks));
}

double Surrogate::covariance(const Falls& falls, std::size_t a, std::size_t b) const {
  const auto left = space_->ranks(a), right = space_->ranks(b);
  double sum = 0, product = 1;
  const double* fall = falls.data();
  for (std::size_t p = 0; p < left.size(); p++, fall += kMaxRanks) {
    const int ranks = std::abs(left[p] - right[p]);
    const double value =
        fall[std::min<std::size_t>(static_cast<std::size_t>(ranks), kMaxRanks - 1)];
    sum += value;
    product *= value;
  }
  const double parameters = static_cast<double>(std::max<std::size_t>(left.size(), 1));
  return policy_.additive * (left.empty() ? 1 : sum / parameters) +
         (1 - policy_.additive) * product;
}

double Surrogate::solve(Model& model) const {
  const std::size_t count = model.observations.size();
  const auto n = static_cast<Eigen::Index>(count);
  model.factor.resize(count * count);
  model.weights.resize(count);
  Eigen::Map<Square> factor(model.factor.data(), n, n);
  Eigen::Map<VectorXd> values(model.weights.data(), n);
  for (std::size_t i = 0; i < count; i++) {
    const Observation& observation = model.observations[i];
    values[static_cast<Eigen::Index>(i)] = observation.value;
    for (std::size_t j = 0; j <= i; j++)
      model.factor[i * count + j] =
          covariance(model.falls, observation.configuration, model.observations[j].configuration);
  }
  factor.diagonal().array() += policy_.noise;
  const Eigen::LLT<Eigen::Ref<Square>> cholesky(factor);
  // L^-1 times the values and times ones: the best-fitting mean, then the residuals.
  VectorXd ones = VectorXd::Ones(n);
  cholesky.matrixL().solveInPlace(values);
  cholesky.matrixL().solveInPlace(ones);
  model.mean = ones.dot(values) / ones.squaredNorm();
  values -= model.mean * ones;
  // The variant's own scale, shrunk towards the scale of all observations if it has few.
  model.scale = (values.squaredNorm() + 4 * spread_) / (static_cast<double>(n) + 4);
  cholesky.matrixU().solveInPlace(values);
  return static_cast<double>(n) * std::log(model.scale) + 2 * factor.diagonal().array().log().sum();
}

/// Moves one rate after another up or down, if the likelihood increases.
double Surrogate::improve(Model& model, double best) const {
  for (std::size_t p = 0; p < model.rates.size(); p++) {
    const double before = model.rates[p];
    for (const double factor : {2.0, 0.5}) {
      set_rate(model, p, std::clamp(before * factor, 0.01, 8.0));
      const double now = solve(model);
      if (now < best) {
        best = now;
        break;
      }
      set_rate(model, p, before);
    }
  }
  return best;
}

void Surrogate::fit(const std::vector<Observation>& observations) {
  overall_ = spread_ = 0;
  for (const Observation& o : observations)
    overall_ += o.value / static_cast<double>(observations.size());
  for (const Observation& o : observations)
    spread_ +=
        (o.value - overall_) * (o.value - overall_) / static_cast<double>(observations.size());
  spread_ = std::max(spread_, 1e-4);
  for (Model& model : models_) model.observations.clear();
  for (const Observation& o : observations)
    models_[space_->variant(o.configuration)].observations.push_back(o);
  for (Model& model : models_) {
    if (model.observations.empty()) continue;
    double best = solve(model);
    for (int sweep = 0; sweep < policy_.rate_passes; sweep++) best = improve(model, best);
    solve(model);
  }
}

Prediction Surrogate::predict(std::size_t configuration) const {
  const Model& model = models_[space_->variant(configuration)];
  const std::size_t n = model.observations.size();
  if (n == 0) return {overall_, std::sqrt(spread_)};
  column_.resize(n);
  double mean = model.mean;
  for (std::size_t i = 0; i < n; i++) {
    column_[i] = covariance(model.falls, model.observations[i].configuration, configuration);
    mean += column_[i] * model.weights[i];
  }
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::Map<VectorXd> column(column_.data(), size);
  Eigen::Map<const Square>(model.factor.data(), size, size)
      .triangularView<Eigen::Lower>()
      .solveInPlace(column);
  const double variance = 1 - column.squaredNorm();
  return {mean, std::sqrt(std::max(variance, 1e-9) * model.scale)};
}

}  // namespace tessera::inline v0::tuning
