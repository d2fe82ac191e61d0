// Steps: the rounds that write the transformed matrix, by the operations of the pipeline.
#pragma once

#include <memory>
#include <vector>

#include "eigen/arguments.hpp"
#include "eigen/device_state.hpp"
#include "eigen/rounds.hpp"
#include "kernels/plan.hpp"

namespace tessera::inline v0::eigen {

using SharedPlan = std::shared_ptr<const kernels::Plan>;

/// The kernel of an operation that a solve of size n runs: the caller's, else the best known.
template <class Table>
SharedPlan plan_of(runtime::Stream& stream, const Table& table, ElementType type, std::size_t n,
                   const EigenOptions& options) {
  const auto chosen = options.kernels.find(table.operation().name);
  return kernels::plan(stream, table.operation(), type,
                       chosen == options.kernels.end() ? KernelChoice() : chosen->second,
                       {.rows = n, .columns = n});
}

/// Plans for the steps of EigenMethod::explicit_steps or fused, made before anything is enqueued.
class StepPlans {
 public:
  StepPlans(runtime::Stream& stream, ElementType type, int wide, std::size_t n,
            const EigenOptions& options);

  SharedPlan row_sum, vector_max, eigenvector, row_bounds, stop, transform, fused;
  SharedPlan conclude, widen;

  /// Adds what is used to a list.
  void append(std::vector<SharedPlan>& plans) const;
};

/// Runs the rounds of one of the two methods in the matrix's type, and gives their vector, dense.
template <class Component>
cl::Buffer run_steps(runtime::Submission& submission, const StepPlans& plans, ElementType type,
                     const MatrixArgument& a, std::size_t n, const EigenOptions& options,
                     Rounds<Component>& rounds);

}  // namespace tessera::inline v0::eigen
