// The rows of the variants of cl/nvidia/wide_blocks.cl and warp_blocks.cl in the table: halves, and
// integers of a byte or of four.
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
/// cl/multiply/mma_int8.cl.
MultiplyVariant mma_int8();
/// cl/multiply/tensor_core_int32.cl.
MultiplyVariant tensor_core_int32();

/// Slices of a byte that tensor_core_int32 makes of an integer.
inline constexpr std::size_t kSlicesOfInt32 = 4;

/// Their tiles, of so many columns. Joining the sums of a shared block takes as long as some steps.
constexpr MappedTiles wide_tiles(ElementType type, std::size_t columns, bool by_wgmma = true) {
  constexpr std::size_t kRowBytes = 128, kJoin = 1280;
  const std::size_t number = has_16_bits(type) ? 2 : 1;
  return {.m = 128,
          .n = columns,
          .k = kRowBytes / number,
          .number = number,
          .resident = 1,
          .min_saved = kJoin / columns,
          .alignment = by_wgmma ? 16U : 4U};
}

/// WARP_M in cl/nvidia/wide_sums.cl: rows of C of a warp.
constexpr int rows_of_warp(bool by_wgmma) { return by_wgmma ? 16 : 64; }

/// Work-items of a work-group: summers, and by wgmma a warp-group that copies.
constexpr std::size_t items_of_wide_blocks(bool by_wgmma) { return by_wgmma ? 384 : 256; }

}  // namespace tessera::inline v0::multiplication
