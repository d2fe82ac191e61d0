// Solves in a child process: a driver that does not survive one costs the call, not the caller.
#pragma once

#include "eigen/solver_plans.hpp"
#include "runtime/json_reader.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Has a child process solve a small matrix by the same kernels before this process does it for the
/// first time on this machine. Throws UnsupportedError if that ends the child.
void survive_first_solve(runtime::Stream& stream, const SolverPlans& plans, ElementType type,
                         const EigenOptions& options);

/// Runs the requested solve in the child. Exceptions of the solve propagate.
runtime::Json solve_first(const Engine& engine, const runtime::Json& request);

}  // namespace tessera::inline v0::eigen
