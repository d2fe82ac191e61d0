// The rows of cl/nvidia/wide_blocks.cl's variants in the table: halves, and integers
// of a byte or of four.
#pragma once

#include <cstddef>

#include "multiply/nvidia/mapped.hpp"
#include "multiply/product_types.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core_half.cl.
MultiplyVariant tensor_core_half();
/// cl/multiply/tensor_core_int8.cl.
MultiplyVariant tensor_core_int8();
/// cl/multiply/tensor_core_int32.cl.
MultiplyVariant tensor_core_int32();

/// Slices of a byte that tensor_core_int32 makes of an integer.
inline constexpr std::size_t kSlicesOfInt32 = 4;

/// Their tiles, of so many columns. Joining the sums of a shared block takes as long as some steps.
constexpr MappedTiles wide_tiles(ElementType type, std::size_t columns) {
  constexpr std::size_t kRowBytes = 128, kJoin = 1280;
  const std::size_t number = has_16_bits(type) ? 2 : 1;
  return {128, columns, kRowBytes / number, number, 1, kJoin / columns};
}

}  // namespace tessera::inline v0::multiplication
