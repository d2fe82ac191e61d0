// Solve: from a checked matrix to its eigenpair with a certificate, by rounds on the device.
#pragma once

#include <cstddef>
#include <vector>

#include "eigen/solver_plans.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// The plans of a solve of n x n, after the checks before their first use. Waits. Throws
/// UnsupportedError.
SolverPlans checked_plans(runtime::Stream& stream, ElementType type, std::size_t n,
                          const EigenOptions& options);

/// Solves `a` by plans for its type and size. Waits. Throws BadRow.
detail::EigenPairOperand solve(const SolverPlans& plans, const detail::Operand& a,
                               const EigenOptions& options);

/// Lists the kernels of a solve's operations. They have no events because an operation's commands
/// are spread over the whole solve.
std::vector<KernelRun> runs_of(const SolverPlans& plans);

}  // namespace tessera::inline v0::eigen
