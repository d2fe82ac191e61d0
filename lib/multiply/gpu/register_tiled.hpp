// The register_tiled variant's row in the table.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/register_tiled.cl: a work-group for each block of C.
MultiplyVariant register_tiled();

}  // namespace tessera::inline v0::multiplication
