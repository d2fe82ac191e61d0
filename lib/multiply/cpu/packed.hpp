// The packed variant's row in the table.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/packed.cl: a few work-items per compute unit, each with a rectangle of C.
MultiplyVariant packed();

}  // namespace tessera::inline v0::multiplication
