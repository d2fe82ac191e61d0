// Kernels of the solver that are no operations of their own: cl/eigenpair/.
#pragma once

#include "kernels/plan.hpp"

namespace tessera::inline v0::eigen {

/// Its variants are steps of a solve: begin, conclude, conclude_stages, widen, finish.
const kernels::Operation& solver_kernels();

}  // namespace tessera::inline v0::eigen
