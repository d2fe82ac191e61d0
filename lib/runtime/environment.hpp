// Environment: the user's variables and folders, and files there that grow by lines.
#pragma once

#include <cstddef>
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

/// Writes all bytes, in one call where the system takes them at once; where it does not, the next
/// call says why, and errno is that.
bool write_all(int file, const void* data, std::size_t bytes);

/// Appends whole lines, which have reached the disk when this returns; after a line that was cut
/// off, a new one is begun. Makes the folder where there is none. Throws Error.
void append_lines(const std::filesystem::path& file, std::string_view lines);

}  // namespace tessera::inline v0::runtime
