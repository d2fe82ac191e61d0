// The vector_max operation: its table of variants.
#pragma once

#include "eigen/arguments.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// maximum = the largest of x's step.n elements.
struct VectorMaxCall {
  StepArguments step;
  VectorArgument x, maximum;
};

const kernels::Table<VectorMaxCall>& vector_max_table();

}  // namespace tessera::inline v0::eigen
