// The tensor_core row of the table: halves on NVIDIA's tensor cores, from Ampere on.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core.cl.
MultiplyVariant tensor_core();

}  // namespace tessera::inline v0::multiplication
