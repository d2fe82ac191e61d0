// The similarity_transform operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// B = diag(s)^-1 * A * diag(s), all n x n; b may be a.
struct SimilarityTransformCall {
  StepArguments step;
  MatrixArgument a;
  VectorArgument s;
  MatrixArgument b;
};

const kernels::Table<SimilarityTransformCall>& similarity_transform_table();

}  // namespace tessera::inline v0::eigen
