// The direct variant's row in the table.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/direct.cl: like packed, but reads the operands in place.
MultiplyVariant direct();

}  // namespace tessera::inline v0::multiplication
