// The eigenvector operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// v_i = v_i * s_i / maximum.
struct EigenvectorCall {
  StepArguments step;
  VectorArgument s, maximum, v;
};

const kernels::Table<EigenvectorCall>& eigenvector_table();

}  // namespace tessera::inline v0::eigen
