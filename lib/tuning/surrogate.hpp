// Surrogate: a Gaussian process over a space, which predicts the logarithms of times.
#pragma once

#include <cstddef>
#include <vector>

#include "tuning/policy.hpp"
#include "tuning/space.hpp"

namespace tessera::inline v0::tuning {

/// What is observed at a configuration: a logarithm of a time.
struct Observation {
  std::size_t configuration;
  double value;
};

/// Mean and standard deviation of what is not known yet.
struct Prediction {
  double mean, deviation;
};

/// Covariance of two configurations of a variant: that of an additive model, every parameter on its
/// own, and that of their product, together; each parameter falls off with the difference of ranks
/// at its own rate, found by the likelihood of the observations (Rasmussen and Williams, "Gaussian
/// Processes for Machine Learning", 2006, 2.2 and 5.4). Variants have nothing in common.
class Surrogate {
 public:
  explicit Surrogate(const Space& space, const Policy& policy = kPolicy);

  /// Takes these observations in place of all earlier ones, and lets the rates go some steps
  /// towards those that suit them best.
  void fit(const std::vector<Observation>& observations);
  Prediction predict(std::size_t configuration) const;

 private:
  /// exp(-rate * difference of ranks), for each parameter and difference.
  using Falls = std::vector<double>;
  /// The observations of one variant, and what follows from them.
  struct Model {
    std::vector<double> rates;
    Falls falls;
    std::vector<Observation> observations;
    std::vector<double> factor;   // of the covariances: lower triangle, by rows
    std::vector<double> weights;  // of the observations in a prediction
    double mean = 0, scale = 1;
  };
  void set_rate(Model& model, std::size_t parameter, double rate) const;
  double covariance(const Falls& falls, std::size_t a, std::size_t b) const;
  /// Fills in what follows from the rates; minus twice the logarithm of the likelihood.
  double solve(Model& model) const;
  double improve(Model& model, double best) const;

  const Space* space_;
  Policy policy_;
  std::vector<Model> models_;  // of each variant
  double overall_ = 0, spread_ = 1;
  mutable std::vector<double> column_;  // of predict()
};

}  // namespace tessera::inline v0::tuning
