// The bulk_copy variant's row in the table.
#pragma once

#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/bulk_copy.cl: numbers of any type; double on the tensor cores.
MultiplyVariant bulk_copy();

/// What suits the shape of a product on an H200: tiles and whether A is copied.
Parameters bulk_copy_parameters(const Problem& problem);

}  // namespace tessera::inline v0::multiplication
