// The packed variant's row in the table.
#pragma once

#include "multiply/table.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/packed.cl: a rectangle of C for each of a few work-items for every compute unit.
MultiplyVariant packed();

}  // namespace tessera::inline v0::multiplication
