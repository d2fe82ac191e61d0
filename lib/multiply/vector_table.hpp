// The matrix_vector operation: its table of variants, and the products it takes over from multiply.
#pragma once

#include <optional>

#include "kernels/table.hpp"
#include "multiply/call.hpp"

namespace tessera::inline v0::multiplication {

/// Variants receive a non-empty product with n = 1: x is a k x 1 and y an m x 1 matrix.
const kernels::Table<Call>& matrix_vector_table();

/// A product in which b and c have one column, or a and c have one row, as a matrix-vector product;
/// nullopt for any other product, for a batch and for a type that matrix_vector does not have.
std::optional<Call> as_matrix_vector(const Call& call);

}  // namespace tessera::inline v0::multiplication
