// The add operation: its table of variants.
#pragma once

#include "elementwise/add_call.hpp"

namespace tessera::inline v0::elementwise {

const kernels::Table<AddCall>& add_table();

}  // namespace tessera::inline v0::elementwise
