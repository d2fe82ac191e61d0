// Self-check of solves: the kernels of a solve find known eigenpairs before their first use on a
// machine.
#pragma once

#include <functional>

#include "eigen/solver_plans.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

using Solve =
    std::function<detail::EigenPairOperand(const detail::Operand& a, const EigenOptions& options)>;

/// Operations are checked one by one when they are chosen (kernels/self_check.hpp). This checks all
/// of a solve: an interval as narrow as the kernels' precision allows holds the eigenvalue, and a
/// negative element is reported. `solve` runs these plans on small matrices, on a stream of its
/// own. Throws UnsupportedError if a result is wrong. Nothing is checked if $TESSERA_SELF_CHECK is
/// "off", if memory is short, or for kernels that the caller named.
void check_first_solve(runtime::Stream& stream, const SolverPlans& plans, ElementType type,
                       const EigenOptions& options, const Solve& solve);

}  // namespace tessera::inline v0::eigen
