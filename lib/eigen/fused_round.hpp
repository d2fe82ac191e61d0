// The fused_round operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// B = diag(s)^-1 * A * diag(s) and t = B * 1 in one pass, all n x n; b may be a, t must not be s.
/// The elements of s are contiguous.
struct FusedRoundCall {
  StepArguments step;
  MatrixArgument a;
  VectorArgument s;
  MatrixArgument b;
  VectorArgument t;
};

const kernels::Table<FusedRoundCall>& fused_round_table();

}  // namespace tessera::inline v0::eigen
