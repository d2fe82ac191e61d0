// The tensor_core_half variant's row in the table.
#pragma once

#include "multiply/mapped.hpp"
#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_half.cl.
MultiplyVariant tensor_core_half();

/// Its tiles.
inline constexpr MappedTiles kTensorCoreHalfTiles{128, 256, 64, 2, 1};

}  // namespace tessera::inline v0::multiplication
