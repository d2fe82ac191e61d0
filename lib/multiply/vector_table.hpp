// The matrix_vector operation: its table of variants, and the products that it takes from multiply.
#pragma once

#include <optional>

#include "kernels/table.hpp"
#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// Variants are given a product with n = 1 that is not empty: x as a k x 1, y as an m x 1 matrix.
const kernels::Table<Call>& matrix_vector_table();

/// A product in which c or b is one column, or c and a are one row, as a product of a matrix and a
/// vector; nothing for any other, and for a batch.
std::optional<Call> as_matrix_vector(const Call& call);

}  // namespace tessera::inline v0::multiplication
