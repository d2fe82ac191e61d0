// The multiply operation: its table of variants.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

const kernels::Table<Call>& multiply_table();

}  // namespace tessera::inline v0::multiplication
