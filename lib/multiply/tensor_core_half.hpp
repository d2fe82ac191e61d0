// The tensor_core_half variant's row in the table.
#pragma once

#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_half.cl.
MultiplyVariant tensor_core_half();

}  // namespace tessera::inline v0::multiplication
