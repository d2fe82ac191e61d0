// Self-check of solves: the kernels that a solve is made of find a known eigenpair before their
// first use in a context.
#pragma once

#include <functional>

#include "eigen/solver_plans.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Operations are checked one by one when they are chosen (kernels/self_check.hpp); this checks
/// what is between them, and their other modes: above all that the interval which is called proven
/// holds the eigenvalue. `solve` is by these plans; it gets a small matrix, on a stream of its own.
/// Throws UnsupportedError if the result is wrong. Nothing is checked where $TESSERA_SELF_CHECK is
/// "off", where memory is short, nor for kernels that the caller named.
template <Real T>
void check_first_solve(
    runtime::Stream& stream, const SolverPlans& plans, const EigenOptions& options,
    const std::function<EigenPair<T>(const ConstMatrixView<T>&, const EigenOptions&)>& solve);

}  // namespace tessera::inline v0::eigen
