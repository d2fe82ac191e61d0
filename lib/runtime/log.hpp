// Log: lines on standard error, asked for by TESSERA_LOG=info.
#pragma once

#include <string_view>

namespace tessera::inline v0::runtime {

/// Looks at the variable once a process.
bool log_wanted();

/// Writes one line if it is wanted.
void log(std::string_view line);

}  // namespace tessera::inline v0::runtime
