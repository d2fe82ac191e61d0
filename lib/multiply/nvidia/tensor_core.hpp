// The tensor_core row of the table: halves on NVIDIA's tensor cores, from Ampere on.
#pragma once

#include <cstddef>

#include "multiply/gpu/stream_k.hpp"
#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/tensor_core.cl.
MultiplyVariant tensor_core();

/// Splits the blocks of `batch` products among its work-groups.
StreamK tensor_core_work(const Shape& shape, std::size_t batch, std::size_t tile_m,
                         std::size_t tile_n, std::size_t groups_per_cu, std::size_t compute_units);

}  // namespace tessera::inline v0::multiplication
