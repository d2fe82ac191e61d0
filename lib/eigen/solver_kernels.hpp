// The solver's own kernels, which are not operations: cl/eigenpair/.
#pragma once

#include "kernels/plan.hpp"

namespace tessera::inline v0::eigen {

/// The variants are begin, conclude, conclude_steps, widen, finish and transpose.
const kernels::Operation& solver_kernels();

}  // namespace tessera::inline v0::eigen
