// Files by their descriptors, as the command reads and writes them. If a function fails, errno
// says why.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tessera::tool {

/// Opens a file to read; negative if it cannot be opened.
int open_to_read(const std::filesystem::path& path);
/// Opens a file that exists to write.
int open_to_write(const std::filesystem::path& path);
/// Creates a file under a new name: random letters replace the six X at the path's end.
int create_aside(std::filesystem::path& path);
bool close_file(int file);

/// Reads what there is, up to `bytes`; 0 at the end of the file, negative if it fails.
std::ptrdiff_t read_some(int file, void* data, std::size_t bytes);
bool write_all(int file, const void* data, std::size_t bytes);
/// Returns once the content of a new file has reached the disk. The file gets these permissions, or
/// a new file's usual ones. Windows keeps them with the folder.
bool finish_file(int file, std::optional<unsigned> permissions);
/// Gives a file another's name, which no reader ever finds without a whole file.
bool put_in_place(const std::filesystem::path& file, const std::filesystem::path& target);

/// Returns whether `path` is a pipe, or names standard input that is not a regular file.
bool is_stream(const std::filesystem::path& path);
/// Returns whether this user may write the file.
bool is_writable(const std::filesystem::path& path);
/// Returns whether `path` is a regular file, not a link, that this user owns.
bool is_own_file(const std::filesystem::path& path);

}  // namespace tessera::tool
