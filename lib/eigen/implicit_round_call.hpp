// Implicit round call: the arguments of a call of implicit_round.
#pragma once

#include <cstddef>
#include <optional>

#include "eigen/arguments.hpp"
#include "kernels/plan.hpp"

namespace tessera::inline v0::eigen {

/// q = A * p * scale, s = A * p / p, in wide numbers (cl/common/wide.cl). The step's halt word is
/// the first of the state, which also gives the scale. p and q are buffers of their own, or one:
/// then p is the ring's first vector and q its second. Several rounds go along a ring, and the
/// state must request conclusions. If the matrix has some rows alone, q and s begin with the first
/// of these, and s_i = q_i / p_(first + i).
struct ImplicitRoundCall {
  StepArguments step;
  MatrixArgument a;
  const cl::Buffer *p, *q, *s;
  Ring ring = {0, 1, 0};
  std::size_t rounds = 1;
  const kernels::Plan* conclude = nullptr;  ///< what follows each round to conclude it, if anything
  std::optional<LocalRows> local_rows = {};  ///< the rows that the matrix has; none: all n

  LocalRows rows() const { return local_rows.value_or(LocalRows{step.n, 0}); }
};

}  // namespace tessera::inline v0::eigen
