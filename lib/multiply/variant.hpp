// A row of the tables of multiply and matrix_vector.
#pragma once

#include "kernels/table.hpp"
#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// `enqueue` is never given an empty product.
using MultiplyVariant = kernels::Row<Call>;

}  // namespace tessera::inline v0::multiplication
