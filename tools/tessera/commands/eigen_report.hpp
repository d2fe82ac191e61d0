// Eigen report: a solve as JSON and as text, with the interval of the matrix that was named.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tessera/eigen.hpp>

#include "files/host_matrix.hpp"

namespace tessera::tool {

template <Real T>
class EigenReport {
 public:
  /// `rounding` is the elements' relative rounding, `options` the solve's, `tolerance` the
  /// caller's. `pair` is kept by reference.
  EigenReport(const EigenPair<T>& pair, double rounding, const EigenOptions& options,
              double tolerance);

  /// Returns whether the solve has converged and the interval with the elements' rounding is within
  /// the tolerance.
  bool converged() const { return pair_.converged && within_; }

  nlohmann::ordered_json json() const;
  /// A small `vector` is printed too, unless it is null.
  void print(std::FILE* out, const HostMatrix<T>* vector) const;

 private:
  std::string_view reason() const;
  void print_interval(std::FILE* out) const;

  const EigenPair<T>& pair_;
  EigenOptions options_;
  double rounding_, tolerance_, seconds_;
  EigenBounds bounds_;
  bool within_;
};

}  // namespace tessera::tool
