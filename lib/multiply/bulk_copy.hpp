// The bulk_copy variant's row in the table.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/bulk_copy.cl: numbers of any type but double.
MultiplyVariant bulk_copy();

}  // namespace tessera::inline v0::multiplication
