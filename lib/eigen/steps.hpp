// Steps: the rounds that write the transformed matrix, by the operations of the pipeline.
#pragma once

#include "eigen/iterate.hpp"

namespace tessera::inline v0::eigen {

/// The rounds of EigenMethod::explicit_steps or fused, in the matrix's type; their vector becomes
/// the first of the ring, or ones if a quotient overflowed. Waits. Throws BadRow.
Iterate run_steps(const Workspace& work, Rounds& rounds, double tolerance);

}  // namespace tessera::inline v0::eigen
