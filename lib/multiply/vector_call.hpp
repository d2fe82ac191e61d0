// Call of matrix_vector: y = alpha * A * x + beta * y as a product with one column.
#pragma once

#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// Checks shapes, types, contexts and overlap; throws MatrixError, ArgumentError, and
/// UnsupportedError for int8.
Call make_vector_call(const detail::Operand& y, const detail::Operand& a, const detail::Operand& x,
                      const MultiplyOptions& options);

}  // namespace tessera::inline v0::multiplication
