// Files by their descriptors: opened without waiting, checked, then read or written.
#include "runtime/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// A hundred times what tuners write about the largest spaces.
constexpr std::uint64_t kMaxText = std::uint64_t{256} << 20;

Error failure(const std::string& name) {
  return Error(ErrorCode::io, fmt::format("{}: {}", name, std::strerror(errno)));
}

/// The size of a file. Throws Error if it is not a regular file.
std::uint64_t regular_size(const Descriptor& file, const std::string& name) {
  struct stat status = {};
  if (::fstat(file.number, &status) != 0) throw failure(name);
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorCode::io, fmt::format("{}: is not a regular file", name));
  return static_cast<std::uint64_t>(status.st_size);
}

/// Returns whether the file ends in the middle of a line.
bool ends_within_line(int file) {
  const off_t size = ::lseek(file, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

bool is_own(const Descriptor& file, mode_t kind) {
  struct stat status = {};
  return ::fstat(file.number, &status) == 0 && (status.st_mode & S_IFMT) == kind &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::size_t read_some(const Descriptor& file, void* data, std::size_t bytes) {
  std::size_t count = 0;
  while (count < bytes) {
    const auto got = ::read(file.number, static_cast<char*>(data) + count, bytes - count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    count += static_cast<std::size_t>(got);
  }
  return count;
}

bool write_all(int file, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const auto written = ::write(file, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

std::string read_text(const Descriptor& file, const std::string& name) {
  const auto size = regular_size(file, name);
  if (size > kMaxText)
    throw Error(ErrorCode::io,
                fmt::format("{}: has {} bytes, at most {} are read", name, size, kMaxText));
  std::string text(size, '\0');
  if (read_some(file, text.data(), size) != size)
    throw Error(ErrorCode::io, fmt::format("{}: cannot be read to its end", name));
  return text;
}

std::optional<std::string> read_text(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (file.number < 0) throw failure(path.string());
  return read_text(file, path.string());
}

void append_lines(const std::filesystem::path& path, std::string_view lines) {
  std::error_code ignored;  // opening the file reports it
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  const Descriptor file(
      ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666));
  if (file.number < 0) throw failure(path.string());
  append_lines(file, path.string(), lines);
}

void append_lines(const Descriptor& file, const std::string& name, std::string_view lines) {
  regular_size(file, name);
  std::string text(lines);
  if (ends_within_line(file.number)) text.insert(0, 1, '\n');
  if (!write_all(file.number, text.data(), text.size()) || ::fsync(file.number) != 0)
    throw failure(name);
}

}  // namespace tessera::inline v0::runtime
