// The direct variant's row in the table.
#pragma once

#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/direct.cl: as packed, but from operands as they lie.
MultiplyVariant direct();

}  // namespace tessera::inline v0::multiplication
