// Files: regular ones read within a limit, and lines appended to them.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::inline v0::runtime {

/// A file descriptor; negative: none.
struct Descriptor {
  explicit Descriptor(int descriptor) : number(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  int number;
};

/// Returns whether the file has this type, S_IFREG or S_IFDIR, is owned by this user, and gives
/// groups and others no permission to write.
bool is_own(const Descriptor& file, mode_t kind);

/// Reads up to `bytes` bytes, and returns how many there were.
std::size_t read_some(const Descriptor& file, void* data, std::size_t bytes);

/// Writes all bytes, in one call if the system takes them at once; after a short write, the next
/// call fails with the reason. On failure returns false, with the reason in errno.
bool write_all(int file, const void* data, std::size_t bytes);

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
