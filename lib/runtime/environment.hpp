// Environment: the user's variables and folders, and appending lines to files there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::inline v0::runtime {

/// The variable's value, empty if it is not set.
std::string environment(const char* name);

/// Tessera's folder in one of the XDG base directories (specifications.freedesktop.org): the one
/// that `variable` names, else `otherwise` in the home directory; empty if neither is set.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* otherwise);

/// Writes all bytes, in one call if the system takes them at once; after a short write, the next
/// call fails with the reason. On failure returns false, with the reason in errno.
bool write_all(int file, const void* data, std::size_t bytes);

/// Appends whole lines, which have reached the disk when this returns; if the file ends in an
/// incomplete line, they start on a new one. Creates the folder if needed. Throws Error.
void append_lines(const std::filesystem::path& file, std::string_view lines);

}  // namespace tessera::inline v0::runtime
