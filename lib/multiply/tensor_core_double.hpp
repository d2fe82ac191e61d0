// The tensor_core_double variant's row in the table.
#pragma once

#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_double.cl.
MultiplyVariant tensor_core_double();

}  // namespace tessera::inline v0::multiplication
