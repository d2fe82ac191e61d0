// The bulk_copy variant's row in the table.
#pragma once

#include <cstddef>

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/bulk_copy.cl: numbers of any type but double.
MultiplyVariant bulk_copy();

/// Its preferred TILE_K, by whether an operand is turned.
std::size_t bulk_copy_depth(bool turns);

}  // namespace tessera::inline v0::multiplication
