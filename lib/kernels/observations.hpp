// Observations: how fast a tuned kernel was beside the default, and what follows for other
// problems.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "tessera/profile.hpp"

namespace tessera::inline v0::kernels {

using Observation = ProfileEntry::Observation;

inline Observation observation(const Problem& at, double ratio) {
  return {at.m, at.n, at.k, at.batch, at.op_a, at.op_b, ratio};
}

/// The observation of the tuned problem. If the default's time is not known, because the default
/// fails, the kernel counts as 5 % faster: enough to be used at sizes close by.
inline Observation own_observation(const Problem& at, double seconds, double default_seconds) {
  const double ratio = seconds / default_seconds;
  return observation(at, std::isfinite(ratio) && ratio > 0 ? ratio : 0.95);
}

/// True if two problems of one operation and type have the same extents and transposes.
bool same_shape(const Problem& a, const Problem& b);

/// Predicts a kernel's time over the default's from observations of it: a Gaussian process over
/// the logarithms of both times' ratio and of the extents, whose mean before any observation is 0,
/// as the default is chosen well. Rasmussen and Williams, "Gaussian Processes for Machine
/// Learning", 2006, 2.2 (prediction) and 4.2.1 (the squared exponential covariance).
class RatioModel {
 public:
  explicit RatioModel(std::span<const Observation> observations);

  /// Near 1 far from all observations.
  double predict(const Problem& problem) const;

 private:
  /// Distances are in factors of two.
  using Coordinates = std::array<double, 6>;
  template <class Extents>
  static Coordinates coordinates(const Extents& of);
  static double covariance(const Coordinates& a, const Coordinates& b);

  std::vector<Coordinates> observed_;
  std::vector<double> weights_;  // of the covariances with these
};

}  // namespace tessera::inline v0::kernels
