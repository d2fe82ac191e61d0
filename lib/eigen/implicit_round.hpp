// The implicit_round operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// q = A * p * scale, s = A * p / p, in wide numbers (cl/common/wide.cl); scale and whether there
/// is a round at all are the state's, which is the stage's halt word too.
struct ImplicitRoundCall {
  Stage stage;
  MatrixArgument a;
  const cl::Buffer *p, *q, *s;
};

/// Rounds sum in double, or in two floats where the device has no double.
const kernels::Table<ImplicitRoundCall>& implicit_round_table();

}  // namespace tessera::inline v0::eigen
