// The rows of cl/common/wide_blocks.cl's variants in the table: halves, and integers of a byte.
#pragma once

#include "multiply/mapped.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_half.cl.
MultiplyVariant tensor_core_half();
/// cl/multiply/tensor_core_int8.cl.
MultiplyVariant tensor_core_int8();

// Their tiles.
inline constexpr MappedTiles kTensorCoreHalfTiles{128, 256, 64, 2, 1};
inline constexpr MappedTiles kTensorCoreInt8Tiles{128, 256, 128, 1, 1};

}  // namespace tessera::inline v0::multiplication
