// Gaussian processes by Cholesky factors; a few hundred observations take milliseconds.
#include "tuning/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::inline v0::tuning {
namespace {

constexpr double kNoise = 3e-3;    // variance of an observation, in units of the process's
constexpr double kAdditive = 0.5;  // share of the additive part
constexpr std::size_t kFew = 8;    // observations below which rates are not sought

double dot(const double* a, const double* b, std::size_t count) {
  return std::inner_product(a, a + count, b, 0.0);
}

}  // namespace

Surrogate::Surrogate(const Space& space) : space_(&space) {
  std::size_t variants = 0;
  for (std::size_t i = 0; i < space.size(); i++)
    variants = std::max(variants, space.variant(i) + 1);
  models_.resize(variants);
  for (Model& model : models_) model.rates.assign(space.dimensions(), 0.5);
}

double Surrogate::covariance(const Rates& rates, std::size_t a, std::size_t b) const {
  const auto left = space_->ranks(a), right = space_->ranks(b);
  double sum = 0, exponent = 0;
  for (std::size_t d = 0; d < rates.size(); d++) {
    if (left[d] == right[d]) continue;
    const double away = rates[d] * std::abs(left[d] - right[d]);
    sum += 1 - std::exp(-away);
    exponent += away;
  }
  const double dimensions = static_cast<double>(std::max<std::size_t>(rates.size(), 1));
  return kAdditive * (1 - sum / dimensions) + (1 - kAdditive) * std::exp(-exponent);
}

double Surrogate::solve(Model& model) const {
  const std::size_t n = model.observations.size();
  model.factor.assign(n * n, 0);
  double log_determinant = 0;
  for (std::size_t i = 0; i < n; i++) {
    double* row = &model.factor[i * n];
    for (std::size_t j = 0; j <= i; j++) {
      double value = covariance(model.rates, model.observations[i].configuration,
                                model.observations[j].configuration) -
                     dot(row, &model.factor[j * n], j);
      if (i == j) {
        row[i] = std::sqrt(std::max(value + kNoise, 1e-9));
        log_determinant += 2 * std::log(row[i]);
      } else {
        row[j] = value / model.factor[j * n + j];
      }
    }
  }
  // L^-1 of the values and of ones: the mean that suits best, then what is left.
  std::vector<double> values(n), ones(n);
  for (std::size_t i = 0; i < n; i++) {
    const double* row = &model.factor[i * n];
    values[i] = (model.observations[i].value - dot(row, values.data(), i)) / row[i];
    ones[i] = (1 - dot(row, ones.data(), i)) / row[i];
  }
  model.mean = dot(ones.data(), values.data(), n) / dot(ones.data(), ones.data(), n);
  for (std::size_t i = 0; i < n; i++) values[i] -= model.mean * ones[i];
  const double count = static_cast<double>(n);
  // The observations' own scale, held to that of all where they are few.
  model.scale = (dot(values.data(), values.data(), n) + 4 * spread_) / (count + 4);
  for (std::size_t i = n; i-- > 0;) {
    values[i] /= model.factor[i * n + i];
    for (std::size_t j = 0; j < i; j++) values[j] -= model.factor[i * n + j] * values[i];
  }
  model.weights = std::move(values);
  return count * std::log(model.scale) + log_determinant;
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
    if (model.observations.size() < kFew) continue;
    // One rate after another, up or down, as long as the likelihood grows.
    for (double& rate : model.rates) {
      for (const double factor : {2.0, 0.5}) {
        const double before = rate;
        rate = std::clamp(before * factor, 0.01, 8.0);
        const double now = solve(model);
        if (now < best) {
          best = now;
          break;
        }
        rate = before;
      }
    }
    solve(model);
  }
}

Prediction Surrogate::predict(std::size_t configuration) const {
  const Model& model = models_[space_->variant(configuration)];
  const std::size_t n = model.observations.size();
  if (n == 0) return {overall_, std::sqrt(spread_)};
  std::vector<double> column(n);
  double mean = model.mean, variance = 1;
  for (std::size_t i = 0; i < n; i++) {
    const double* row = &model.factor[i * n];
    const double shared =
        covariance(model.rates, model.observations[i].configuration, configuration);
    mean += shared * model.weights[i];
    column[i] = (shared - dot(row, column.data(), i)) / row[i];
    variance -= column[i] * column[i];
  }
  return {mean, std::sqrt(std::max(variance, 1e-9) * model.scale)};
}

}  // namespace tessera::inline v0::tuning
