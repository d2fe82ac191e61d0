// Indexing: Python's indices and slices as blocks of operands.
#pragma once

#include "binding.hpp"

namespace tessera_py {

/// The block that a key selects: an index or a slice of rows, or a tuple of both for rows and
/// columns. Raises IndexError for an index outside, ValueError for a step other than 1.
detail::Operand indexed(const detail::Operand& of, nb::handle key);

/// The index, counted from the end if it is negative. Raises IndexError if it is not below `size`.
std::size_t index_below(std::size_t size, nb::handle key);

}  // namespace tessera_py
