// The stop operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// converged = 1 if |s_i - s_(i + 1 mod n)| < tolerance for all i, else 0.
struct StopCall {
  StepArguments step;
  runtime::Value tolerance;  ///< of the step's type
  VectorArgument s, converged;
};

const kernels::Table<StopCall>& stop_table();

}  // namespace tessera::inline v0::eigen
