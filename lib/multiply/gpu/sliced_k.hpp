// The sliced_k variant: products of few elements, or of small matrices.
#pragma once

#include <cstddef>

#include "multiply/gpu/stream_k.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/sliced_k.cl: work-items split the depth of tiles in local memory, too.
MultiplyVariant sliced_k();

/// True if the device copies tiles of `type` asynchronously. Halves and bfloat16s pass through
/// registers, where they become floats.
bool sliced_k_copies_by_itself(const DeviceCapabilities& device, ElementType type);

/// The parameters of sliced_k that decide its sharing and its local memory.
struct SlicedTiles {
  std::size_t tile_m = 0, tile_n = 0, tile_k = 0, stages = 2, groups_per_cu = 4, min_depth = 128;

  /// Numbers of all stages in local memory: the minimum, if no operand is contiguous along k, and
  /// the maximum.
  std::size_t min_numbers() const;
  std::size_t numbers() const;
};

/// Splits the blocks of `batch` products on a device of so many compute units.
StreamK sliced_k_work(const Shape& shape, std::size_t batch, const SlicedTiles& tiles,
                      std::size_t compute_units);

}  // namespace tessera::inline v0::multiplication
