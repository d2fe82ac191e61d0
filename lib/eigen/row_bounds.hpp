// The row_bounds operation: its table of variants.
#pragma once

#include "eigen/step_call_types.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

const kernels::Table<RowBoundsCall>& row_bounds_table();

}  // namespace tessera::inline v0::eigen
