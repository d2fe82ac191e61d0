// The tensor_core_hopper variant's row in the table.
#pragma once

#include "multiply/nvidia/mapped.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_hopper.cl: float and complex64 in bounded accuracy.
MultiplyVariant tensor_core_hopper();

/// Its tiles, as deep as it prefers them; a number is two halves.
inline constexpr MappedTiles kTensorCoreHopperTiles{256, 128, 64, 4, 1};

}  // namespace tessera::inline v0::multiplication
