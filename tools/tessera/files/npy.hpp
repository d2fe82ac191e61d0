// Elements of NumPy's .npy format.
#pragma once

#include <string>
#include <string_view>

#include "files/npy_header.hpp"

namespace tessera::tool {

/// The matrix, or the stack of matrices, of an .npy file. Throws UsageError, which begins with
/// `name`.
template <Element T>
HostMatrix<T> read_npy(std::string_view content, const std::string& name);

}  // namespace tessera::tool
