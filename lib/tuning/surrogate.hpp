// Surrogate: a Gaussian process over a space, which predicts the logarithms of times.
#pragma once

#include <cstddef>
#include <vector>

#include "tuning/policy.hpp"
#include "tuning/space.hpp"

namespace tessera::inline v0::tuning {

/// An observation of a configuration: the logarithm of a time.
struct Observation {
  std::size_t configuration;
  double value;
};

/// Mean and standard deviation of a value not yet observed.
struct Prediction {
  double mean, deviation;
};

/// The covariance of two configurations of a variant is an additive kernel over single parameters
/// plus a product kernel over all. Each parameter decays with the difference of ranks at its own
/// rate, fitted by the likelihood of the observations (Rasmussen and Williams, "Gaussian Processes
/// for Machine Learning", 2006, 2.2 and 5.4). Variants are independent.
class Surrogate {
 public:
  Surrogate(const Space& space, const Policy& policy);

  /// Replaces all earlier observations with these, and moves the rates some steps towards those
  /// that fit them best.
  void fit(const std::vector<Observation>& observations);
  Prediction predict(std::size_t configuration) const;

 private:
  /// exp(-rate * difference of ranks), for each parameter and difference.
  using Falls = std::vector<double>;
  /// The observations of one variant, and what is derived from them.
  struct Model {
    std::vector<double> rates;
    Falls falls;
    std::vector<Observation> observations;
    std::vector<double> factor;   // Cholesky, of the covariances: lower triangle, by rows
    std::vector<double> weights;  // of the observations in a prediction
    double mean = 0, scale = 1;
  };
  void set_rate(Model& model, std::size_t parameter, double rate) const;
  double covariance(const Falls& falls, std::size_t a, std::size_t b) const;
  /// Computes what follows from the rates; returns minus twice the log-likelihood.
  double solve(Model& model) const;
  double improve(Model& model, double best) const;

  const Space* space_;
  Policy policy_;
  std::vector<Model> models_;  // one per variant
  double overall_ = 0, spread_ = 1;
  mutable std::vector<double> column_;  // scratch of predict()
};

}  // namespace tessera::inline v0::tuning
