// The sliced_k variant: products of few elements, or of small matrices.
#pragma once

#include <cstddef>

#include "multiply/gpu/stream_k.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/sliced_k.cl: tiles in local memory whose depth, too, is shared out.
MultiplyVariant sliced_k();

/// Whether tiles are copied asynchronously on the device. Halves are not: they become floats on
/// their way through registers.
bool sliced_k_copies_by_itself(const DeviceCapabilities& device, ElementType type);

/// What its sharing and its local memory depend on; see the variant's parameters.
struct SlicedTiles {
  std::size_t tile_m = 0, tile_n = 0, tile_k = 0, stages = 2, groups_per_cu = 4, min_depth = 128;

  /// Numbers that the stages take in local memory: the minimum, where no operand lies along k,
  /// and the maximum.
  std::size_t min_numbers() const;
  std::size_t numbers() const;
};

/// How the blocks of `batch` products are shared out on a device of so many compute units.
StreamK sliced_k_work(const Shape& shape, std::size_t batch, const SlicedTiles& tiles,
                      std::size_t compute_units);

}  // namespace tessera::inline v0::multiplication
