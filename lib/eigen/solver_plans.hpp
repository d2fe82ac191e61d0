// Solver plans: the kernels of a solve, all built before anything is enqueued.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eigen/wide_vector.hpp"
#include "kernels/plan.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

using SharedPlan = std::shared_ptr<const kernels::Plan>;

/// The steps of EigenMethod::explicit_steps or fused.
struct StepPlans {
  SharedPlan row_sum, vector_max, eigenvector, row_bounds;
  SharedPlan stop;              ///< with StopTest::neighbours
  SharedPlan transform, fused;  ///< one of the two, depending on the method
  SharedPlan conclude, widen;
};

struct SolverPlans {
  SharedPlan begin, finish;
  SharedPlan conclude;          ///< of implicit rounds, where these do not conclude themselves
  SharedPlan round;             ///< of implicit rounds
  SharedPlan validating_round;  ///< the same, but validates every element of A
  SharedPlan pass;              ///< the same, for the ratios of a certificate
  Accumulator accumulator;      ///< of the rounds
  bool rounds_prove;            ///< the ratios of a round are as precise as a pass's
  std::optional<StepPlans> steps;

  /// The numbers in the rounds' vectors.
  Wide wide() const { return wide_of(accumulator); }
  /// Plans of the solve's operations, for its result.
  std::vector<SharedPlan> operations() const;
  /// These, and those between them.
  std::vector<SharedPlan> all() const;
};

/// Names of the operations whose kernels a solve can be given.
std::vector<std::string> solver_operations();

/// The caller's kernels, else the best known for this size. Throws UnsupportedError.
SolverPlans solver_plans(runtime::Stream& stream, ElementType type, std::size_t n,
                         const EigenOptions& options);

}  // namespace tessera::inline v0::eigen
