// Descriptors: what the operating system does with an open file. If a function fails, errno says
// why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace tessera::inline v0::runtime {

/// A file descriptor, which no child process inherits; negative: none.
struct Descriptor {
  explicit Descriptor(int descriptor) : number(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();
  int number;
};

/// Opens a file, which may be a link, without waiting for a pipe's other end.
Descriptor open_to_read(const std::filesystem::path& path);
/// Opens a file to read it and to append to it; creates it if there is none.
Descriptor open_to_append(const std::filesystem::path& path);
/// The same for a file that only this user may write; ELOOP if it is a link.
Descriptor open_own_to_append(const std::filesystem::path& path);
/// Opens a file that only this user can have written, in a folder that only this user may write.
/// Returns none for any other file, with a line in the log.
Descriptor open_own(const std::filesystem::path& path);
/// Creates a file under a new name: random letters replace the six X at the path's end.
Descriptor create_aside(std::filesystem::path& path);

struct FileStatus {
  bool is_regular;
  std::uint64_t bytes;
};
std::optional<FileStatus> status_of(const Descriptor& file);
/// Returns whether the file is a regular one that this user owns and no other user may write. On
/// Windows, the access lists of the user's folders see to the latter.
bool is_own_file(const Descriptor& file);

/// Reads up to `bytes` bytes, and returns how many there were.
std::size_t read_some(const Descriptor& file, void* data, std::size_t bytes);
/// The last byte; nothing if the file is empty. The next read starts anywhere.
std::optional<char> last_byte(const Descriptor& file);
/// The next read starts at the first byte.
void rewind(const Descriptor& file);

/// Writes all bytes, in one call if the system takes them at once; after a short write, the next
/// call fails with the reason.
bool write_all(int file, const void* data, std::size_t bytes);
/// Returns once the content has reached the disk.
bool flush(const Descriptor& file);
/// Removes the content.
bool truncate(const Descriptor& file);
/// Locks out other processes that call this; false at once if one of them has the lock.
bool lock(const Descriptor& file);

}  // namespace tessera::inline v0::runtime
