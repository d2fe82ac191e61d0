// Offence: the error for a row of a matrix that the solver does not accept.
#pragma once

#include <cstddef>

#include "tessera/detail/operand.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {

/// The error for a row with a negative element, or without a finite sum. The message begins with
/// `operation`, and counts rows from `first_row`. Waits for the row's elements.
MatrixError offence_in(const char* operation, const detail::Operand& a, std::size_t row,
                       std::size_t first_row = 0);

}  // namespace tessera::inline v0::eigen
