// The implicit_round operation: its table of variants.
#pragma once

#include "eigen/implicit_round_call.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

/// Rounds accumulate in double, or in two floats if the device has no double.
const kernels::Table<ImplicitRoundCall>& implicit_round_table();

}  // namespace tessera::inline v0::eigen
