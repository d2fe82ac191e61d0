// Paths as UTF-8 text on every system: in options, environment variables and messages.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera::inline v0::runtime {

inline std::filesystem::path path_of(std::string_view text) {
  return std::u8string(text.begin(), text.end());
}

inline std::string text_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

}  // namespace tessera::inline v0::runtime
