// Paths as UTF-8 text on every system: on the command line and in messages.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera::tool {

inline std::filesystem::path path_of(std::string_view text) {
  return std::u8string(text.begin(), text.end());
}

inline std::string text_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

}  // namespace tessera::tool
