// Text for Windows, whose functions take UTF-16.
#pragma once

#include <string>
#include <string_view>

#include "runtime/path.hpp"

namespace tessera::inline v0::runtime {

inline std::wstring wide(std::string_view text) { return path_of(text).native(); }
inline std::string utf8(const std::wstring& text) { return text_of(std::filesystem::path(text)); }

/// Returns the system's text for an error of GetLastError().
std::string text_of_error(unsigned long error);

}  // namespace tessera::inline v0::runtime
