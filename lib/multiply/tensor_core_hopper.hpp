// The tensor_core_hopper variant's row in the table.
#pragma once

#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_hopper.cl: float in bounded accuracy.
MultiplyVariant tensor_core_hopper();

}  // namespace tessera::inline v0::multiplication
