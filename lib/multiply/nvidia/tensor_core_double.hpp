// The tensor_core_double variant's row in the table.
#pragma once

#include <cstddef>

#include "multiply/nvidia/mapped.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_double.cl.
MultiplyVariant tensor_core_double();

inline constexpr std::size_t kTensorCoreDoubleDepth = 16;  ///< of its stages

/// Its tiles, by their edge: 64 or 128. Joining shared sums takes as long as so many steps.
constexpr MappedTiles tensor_core_double_tiles(std::size_t edge) {
  const bool wide = edge == 128;
  return {edge, edge, kTensorCoreDoubleDepth, 8, wide ? 1U : 2U, wide ? 8U : 32U, 0.93};
}

}  // namespace tessera::inline v0::multiplication
