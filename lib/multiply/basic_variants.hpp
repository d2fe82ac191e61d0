// Rows of the basic variants in the table of multiply variants, simplest first.
#pragma once

#include <vector>

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

std::vector<MultiplyVariant> basic_variants();

}  // namespace tessera::inline v0::multiplication
