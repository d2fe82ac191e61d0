// The tensor_core_double variant's row in the table.
#pragma once

#include "multiply/mapped.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_double.cl.
MultiplyVariant tensor_core_double();

/// Its tiles.
inline constexpr MappedTiles kTensorCoreDoubleTiles{128, 128, 16, 8, 1};

}  // namespace tessera::inline v0::multiplication
