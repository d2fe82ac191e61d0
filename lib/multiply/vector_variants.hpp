// The variants of matrix_vector.
#pragma once

#include <vector>

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/matrix_vector/per_item.cl and per_group.cl.
std::vector<kernels::Row<Call>> matrix_vector_variants();

}  // namespace tessera::inline v0::multiplication
