// The row_bounds operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// minimum and maximum = the smallest and the largest of x's step.n elements.
struct RowBoundsCall {
  StepArguments step;
  VectorArgument x, minimum, maximum;
};

const kernels::Table<RowBoundsCall>& row_bounds_table();

}  // namespace tessera::inline v0::eigen
