// Files: regular ones read within a limit, and lines appended to them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/descriptor.hpp"

namespace tessera::inline v0::runtime {

/// The content of a regular file of up to 256 MiB; `file` is at its start. Throws Error, with
/// `name`, for any other file: a pipe or a device may never end.
std::string read_text(const Descriptor& file, const std::string& name);
/// The content of the file at `path`; nothing if there is none. Another user, such as an
/// administrator, may own the file, and it may be a link.
std::optional<std::string> read_text(const std::filesystem::path& path);

/// Appends whole lines, which have reached the disk when this returns; if the file ends in an
/// incomplete line, they start on a new one. Creates the folder if needed. Throws Error, also if
/// the file is not a regular one.
void append_lines(const std::filesystem::path& path, std::string_view lines);
/// Appends the lines to an open file.
void append_lines(const Descriptor& file, const std::string& name, std::string_view lines);

}  // namespace tessera::inline v0::runtime
