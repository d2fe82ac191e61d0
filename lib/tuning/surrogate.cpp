// Gaussian processes by Cholesky factorisation; a few hundred observations take milliseconds.
#include "tuning/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::inline v0::tuning {
namespace {

constexpr std::size_t kMaxRanks = 16;  // no parameter has more values

double dot(const double* a, const double* b, std::size_t count) {
  return std::inner_product(a, a + count, b, 0.0);
}

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
  const std::size_t n = model.observations.size();
  model.factor.assign(n * n, 0);
  double log_determinant = 0;
  for (std::size_t i = 0; i < n; i++) {
    double* row = &model.factor[i * n];
    for (std::size_t j = 0; j <= i; j++) {
      double value = covariance(model.falls, model.observations[i].configuration,
                                model.observations[j].configuration) -
                     dot(row, &model.factor[j * n], j);
      if (i == j) {
        row[i] = std::sqrt(std::max(value + policy_.noise, 1e-9));
        log_determinant += 2 * std::log(row[i]);
      } else {
        row[j] = value / model.factor[j * n + j];
      }
    }
  }
  // L^-1 times the values and times ones: the best-fitting mean, then the residuals.
  std::vector<double> values(n), ones(n);
  for (std::size_t i = 0; i < n; i++) {
    const double* row = &model.factor[i * n];
    values[i] = (model.observations[i].value - dot(row, values.data(), i)) / row[i];
    ones[i] = (1 - dot(row, ones.data(), i)) / row[i];
  }
  model.mean = dot(ones.data(), values.data(), n) / dot(ones.data(), ones.data(), n);
  for (std::size_t i = 0; i < n; i++) values[i] -= model.mean * ones[i];
  const double count = static_cast<double>(n);
  // The variant's own scale, shrunk towards that of all observations if it has few.
  model.scale = (dot(values.data(), values.data(), n) + 4 * spread_) / (count + 4);
  for (std::size_t i = n; i-- > 0;) {
    values[i] /= model.factor[i * n + i];
    for (std::size_t j = 0; j < i; j++) values[j] -= model.factor[i * n + j] * values[i];
  }
  model.weights = std::move(values);
  return count * std::log(model.scale) + log_determinant;
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
  double mean = model.mean, variance = 1;
  for (std::size_t i = 0; i < n; i++) {
    const double* row = &model.factor[i * n];
    const double shared =
        covariance(model.falls, model.observations[i].configuration, configuration);
    mean += shared * model.weights[i];
    column_[i] = (shared - dot(row, column_.data(), i)) / row[i];
    variance -= column_[i] * column_[i];
  }
  return {mean, std::sqrt(std::max(variance, 1e-9) * model.scale)};
}

}  // namespace tessera::inline v0::tuning
