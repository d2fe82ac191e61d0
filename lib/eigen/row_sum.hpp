// The row_sum operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// s_i = sum over j of a_ij; step.n rows.
struct RowSumCall {
  StepArguments step;
  std::size_t columns;
  MatrixArgument a;
  VectorArgument s;
};

const kernels::Table<RowSumCall>& row_sum_table();

}  // namespace tessera::inline v0::eigen
