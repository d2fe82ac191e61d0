// The sliced_k_double variant's row in the table.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/sliced_k_double.cl.
MultiplyVariant sliced_k_double();

}  // namespace tessera::inline v0::multiplication
