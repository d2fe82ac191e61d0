// The calls that kernels of the pipeline's operations take.
#pragma once

#include <cstddef>

#include "eigen/arguments.hpp"
#include "eigen/implicit_round_call.hpp"

namespace tessera::inline v0::eigen {

/// s_i = sum over j of a_ij; step.n rows.
struct RowSumCall {
  StepArguments step;
  std::size_t columns;
  MatrixArgument a;
  VectorArgument s;
};

/// maximum = the largest of x's step.n elements.
struct VectorMaxCall {
  StepArguments step;
  VectorArgument x, maximum;
};

/// minimum and maximum = the smallest and the largest of x's step.n elements.
struct RowBoundsCall {
  StepArguments step;
  VectorArgument x, minimum, maximum;
};

/// v_i = v_i * s_i / maximum.
struct EigenvectorCall {
  StepArguments step;
  VectorArgument s, maximum, v;
};

/// B = diag(s)^-1 * A * diag(s), all n x n; b may be a.
struct SimilarityTransformCall {
  StepArguments step;
  MatrixArgument a;
  VectorArgument s;
  MatrixArgument b;
};

/// converged = 1 if |s_i - s_(i + 1 mod n)| < tolerance for all i, else 0.
struct StopCall {
  StepArguments step;
  runtime::Value tolerance;  ///< of the step's type
  VectorArgument s, converged;
};

/// B = diag(s)^-1 * A * diag(s) and t = B * 1 in one pass, all n x n; b may be a, t must not be s.
/// The elements of s are contiguous.
struct FusedRoundCall {
  StepArguments step;
  MatrixArgument a;
  VectorArgument s;
  MatrixArgument b;
  VectorArgument t;
};

}  // namespace tessera::inline v0::eigen
