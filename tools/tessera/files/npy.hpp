// Elements of NumPy's .npy format.
#pragma once

#include <string>

#include "files/any_matrix.hpp"
#include "files/npy_header.hpp"

namespace tessera::tool {

/// True if the elements of such a file can be used in place, as elements of `type`.
bool is_stored_as(const NpyHeader& header, ElementType type);

/// The matrix, or the stack of matrices, of an .npy file with that header. It keeps the content's
/// memory if its elements are used in place. Throws UsageError, which begins with `name`.
AnyMatrix read_npy(std::string content, const NpyHeader& header, ElementType type,
                   const std::string& name);

}  // namespace tessera::tool
