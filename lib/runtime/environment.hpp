// Environment: what the user's variables say, and files of his that grow by lines.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::inline v0::runtime {

/// The variable's value, empty where there is none.
std::string environment(const char* name);

/// Tessera's folder below one of the XDG base directories (specifications.freedesktop.org): of the
/// variable, or `otherwise` below the home directory; nothing where there is neither.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* otherwise);

/// Appends whole lines in one write that reaches the disk; a line that was cut before stays one of
/// its own. Makes the folder where there is none. Throws Error.
void append_lines(const std::filesystem::path& file, std::string_view lines);

}  // namespace tessera::inline v0::runtime
