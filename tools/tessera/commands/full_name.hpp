// Full name: a variant with its operation, as tables list it.
#pragma once

#include <cstddef>
#include <string>
#include <tessera/kernel.hpp>

namespace tessera::tool {

/// "multiply/naive"
std::string full_name(const std::string& operation, const std::string& variant);
/// The length of the longest full name: the width of a column with all names.
std::size_t full_name_columns();

}  // namespace tessera::tool
