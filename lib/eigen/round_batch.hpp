// A batch of implicit rounds outside a solve, enqueued as a solve does: what a tuner times.
#pragma once

#include <cstdint>
#include <vector>

#include "eigen/device_state.hpp"
#include "eigen/implicit_round_call.hpp"
#include "kernels/table.hpp"
#include "runtime/shape.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Runs rounds from the vector of ones. Each batch continues from the one before. If a solve's
/// rounds take turns in one launch, a round begins to read while the one before ends. The time of a
/// single round then says little about a solve.
class RoundBatch {
 public:
  static constexpr std::uint32_t kRounds = kBatch;

  /// Allocates the state and the vectors for n x n matrices. `table` is implicit_round's; it is an
  /// argument because its own row depends on this class.
  RoundBatch(const kernels::Table<ImplicitRoundCall>& table, const Engine& engine, ElementType type,
             std::size_t n);

  /// The matrices that it allocates.
  static std::vector<runtime::MatrixSize> matrices(std::size_t n) {
    return {{2 * n, 1, sizeof(double)}, {n, 1, sizeof(double)}};
  }

  /// Enqueues `kRounds` rounds with a dense, positive matrix.
  KernelRun run(const detail::Operand& a, const kernels::SharedPlan& plan);
  /// The rounds so far. Waits.
  std::uint32_t rounds() const;

 private:
  KernelRun enqueue(const detail::Operand& a, const kernels::SharedPlan& plan);

  const kernels::Table<ImplicitRoundCall>* table_;
  Engine engine_;
  ElementType type_;
  std::size_t n_;
  cl::Buffer state_;
  Matrix<double> vectors_, ratios_;
};

}  // namespace tessera::inline v0::eigen
