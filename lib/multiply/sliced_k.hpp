// The sliced_k variant: products of few elements, or of small matrices.
#pragma once

#include <cstddef>

#include "multiply/stream_k.hpp"
#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/sliced_k.cl: tiles in local memory whose depth, too, is shared out.
MultiplyVariant sliced_k();

/// What its sharing depends on; see the variant's parameters.
struct SlicedTiles {
  std::size_t tile_m, tile_n, tile_k, groups_per_cu = 4, least_depth = 128;
};

/// How its blocks are shared out on a device of so many compute units.
StreamK sliced_k_work(const Problem& problem, const SlicedTiles& tiles, std::size_t compute_units);

}  // namespace tessera::inline v0::multiplication
