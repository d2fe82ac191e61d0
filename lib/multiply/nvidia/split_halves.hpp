// The rows of variants that multiply floats as two halves each in the table.
#pragma once

#include "multiply/nvidia/mapped.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_hopper.cl: float and complex64 in bounded accuracy.
MultiplyVariant tensor_core_hopper();
/// cl/multiply/mma_halves.cl: the same.
MultiplyVariant mma_halves();

/// Their tiles, as deep as they prefer them; a number is two halves.
constexpr MappedTiles split_halves_tiles(bool by_wgmma) {
  return {256, 128, by_wgmma ? 64U : 32U, 4, 1};
}

}  // namespace tessera::inline v0::multiplication
