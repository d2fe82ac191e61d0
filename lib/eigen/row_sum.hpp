// The row_sum operation: its table of variants.
#pragma once

#include "eigen/step_call_types.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

const kernels::Table<RowSumCall>& row_sum_table();

}  // namespace tessera::inline v0::eigen
