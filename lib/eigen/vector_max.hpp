// The vector_max operation: its table of variants.
#pragma once

#include "eigen/step_call_types.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

const kernels::Table<VectorMaxCall>& vector_max_table();

}  // namespace tessera::inline v0::eigen
