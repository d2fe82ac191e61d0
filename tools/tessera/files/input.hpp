// Input: the bytes from which a matrix is read.
#pragma once

#include <string>

namespace tessera::tool {

/// Standard input on the command line.
constexpr const char* kStandardStream = "-";

/// The content of a file, a pipe, or standard input where `name` is "-". Throws UsageError, which
/// begins with `name`, if it cannot be read, or is more than this machine's memory.
std::string read_input(const std::string& name);

}  // namespace tessera::tool
