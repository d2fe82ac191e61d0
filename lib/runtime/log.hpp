// Log: the library's own messages, which tessera/log.hpp filters and delivers.
#pragma once

#include <string_view>

#include "tessera/log.hpp"

namespace tessera::inline v0::runtime {

/// Returns whether messages of the level `info` are reported. Check it before you compose a
/// message that takes work.
bool log_wanted();

/// Reports a message of the level `info`.
void log(std::string_view message);

/// Reports a message of the level `warning`: a result is slower or less safe than expected.
void warn(std::string_view message);

}  // namespace tessera::inline v0::runtime
