// The bulk_copy variant's row in the table.
#pragma once

#include <cstddef>

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/bulk_copy.cl, for float, int32, half, bfloat16 and complex64.
MultiplyVariant bulk_copy();

/// Its preferred TILE_K, by whether an operand is turned.
std::size_t bulk_copy_depth(bool turns);

/// Steps of that depth that take as long as sharing blocks costs: sums are joined, and work-groups
/// at different steps find less in the cache.
std::size_t bulk_copy_steps_of_joining(std::size_t depth);

}  // namespace tessera::inline v0::multiplication
