// Eigen report: a solve as JSON and as text, with the interval of the matrix that was named.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tessera/eigen.hpp>
#include <vector>

#include "files/any_matrix.hpp"

namespace tessera::tool {

/// A solve's result with the vector on the host.
struct EigenSolution : EigenResult {
  AnyMatrix vector;
  std::string device;
  bool transposed = false;  // the vector is a left eigenvector
};

/// dominant_eigenpair() of a matrix of float or double.
EigenSolution solve(const detail::Operand& matrix, const EigenOptions& options);

class EigenReport {
 public:
  /// `rounding` is the elements' rounding, `options` the solve's, `tolerance` the caller's.
  /// `solution` is kept by reference.
  EigenReport(const EigenSolution& solution, double rounding, const EigenOptions& options,
              double tolerance);

  /// True if the solve converged and its interval, with the elements' rounding, is within the
  /// tolerance.
  bool converged() const { return solution_.converged && within_; }

  nlohmann::ordered_json json() const;
  /// A small vector is printed if `with_vector`.
  void print(std::FILE* out, bool with_vector) const;

 private:
  std::string_view reason() const;
  std::string_view type() const { return to_string(solution_.vector.type); }
  void print_interval(std::FILE* out) const;
  void print_vector(std::FILE* out) const;

  const EigenSolution& solution_;
  EigenOptions options_;
  double rounding_, tolerance_;
  EigenBounds bounds_;
  bool within_;
};

}  // namespace tessera::tool
