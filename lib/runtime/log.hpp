// Log: lines on standard error, enabled by TESSERA_LOG=info, and warnings, unless it is off.
#pragma once

#include <string_view>

namespace tessera::inline v0::runtime {

/// Reads the variable once per process.
bool log_wanted();

/// Writes one line if logging is enabled.
void log(std::string_view line);

/// Writes one line unless TESSERA_LOG is off: of what nobody can want.
void warn(std::string_view line);

}  // namespace tessera::inline v0::runtime
