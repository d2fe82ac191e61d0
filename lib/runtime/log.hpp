// Log: lines on standard error for who asks for them with TESSERA_LOG=info.
#pragma once

#include <string_view>

namespace tessera::inline v0::runtime {

bool log_wanted();

/// Writes one line if it is wanted.
void log(std::string_view line);

}  // namespace tessera::inline v0::runtime
