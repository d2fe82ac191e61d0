// The tensor_core_residues row of the table: double by integers of a byte.
#pragma once

#include "multiply/mapped.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_residues.cl: double in bounded accuracy.
MultiplyVariant tensor_core_residues();

/// Its tiles, of each plane.
inline constexpr MappedTiles kTensorCoreResiduesTiles{128, 256, 128, 1, 1};

}  // namespace tessera::inline v0::multiplication
