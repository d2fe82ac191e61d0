// Solve: from a checked matrix to its eigenpair with a certificate, by rounds on the device.
#pragma once

#include "eigen/solver_plans.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// `Component` is the type in the plans' vectors: double, or float for two floats. Waits.
/// Throws BadRow.
template <Real T, class Component>
EigenPair<T> solve(const ConstMatrixView<T>& a, const EigenOptions& options,
                   const SolverPlans& plans);

}  // namespace tessera::inline v0::eigen
