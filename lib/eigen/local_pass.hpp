// Local pass: products with a vector, and their ratios, of the rows that one rank has.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "eigen/certificate.hpp"
#include "eigen/solver_plans.hpp"
#include "tessera/detail/operand.hpp"

namespace tessera::inline v0::eigen {

/// Consecutive rows of an n x n matrix.
struct RowRange {
  std::size_t n, first, count;
};

class LocalPass {
 public:
  /// `rows` has `range.count` x `range.n` elements, and not 0. Plans depend on n, not on the number
  /// of rows, so that a row's sum has the same bits on every rank. `tolerance` decides how precise
  /// the sums are. Throws like dominant_eigenpair(). `operation` begins messages.
  LocalPass(const char* operation, const detail::Operand& rows, const RowRange& range,
            double tolerance);

  /// Computes the products with v, n components, and validates the rows. Throws MatrixError.
  void run_first(std::span<const double> v);
  /// The same without validation.
  void run(std::span<const double> v);

  bool has_zeros() const { return has_zeros_; }
  /// The products of the last run.
  std::span<const double> products() const { return products_; }
  /// The certificate of these rows alone, after a run with v. Throws UnsupportedError if a ratio
  /// is not finite.
  Certificate certificate(std::span<const double> v) const;
  /// After a run with v, returns at least |A v - value v| / (value ||v||), maximum norms, of these
  /// rows.
  double residual(std::span<const double> v, double value) const;

 private:
  void run(std::span<const double> v, bool validates);

  const char* operation_;
  detail::Operand rows_;
  RowRange range_;
  SolverPlans plans_;
  bool flushes_, has_zeros_ = false;
  Precision precision_{};
  std::vector<double> products_, ratios_;
};

}  // namespace tessera::inline v0::eigen
