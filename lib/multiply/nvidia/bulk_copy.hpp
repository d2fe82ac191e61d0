// The bulk_copy variant's row in the table.
#pragma once

#include <cstddef>

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/bulk_copy.cl: any type but double and complex128.
MultiplyVariant bulk_copy();

/// Its preferred TILE_K, by whether an operand is turned.
std::size_t bulk_copy_depth(bool turns);

/// Steps of that depth that joining the sums of shared blocks takes, with the misses in the cache
/// of work-groups that are not at the same step.
std::size_t bulk_copy_steps_of_joining(std::size_t depth);

}  // namespace tessera::inline v0::multiplication
