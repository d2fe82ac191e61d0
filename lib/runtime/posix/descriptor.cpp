// Descriptors by the calls of POSIX.
#include "runtime/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "runtime/log.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// Returns whether the file has this type, S_IFREG or S_IFDIR, is owned by this user, and gives
/// groups and others no permission to write.
bool is_own(const Descriptor& file, mode_t kind) {
  struct stat status = {};
  return ::fstat(file.number, &status) == 0 && (status.st_mode & S_IFMT) == kind &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

constexpr int kAppend = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC;

}  // namespace

Descriptor::~Descriptor() {
  if (number >= 0) ::close(number);
}

Descriptor open_to_read(const std::filesystem::path& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

Descriptor open_to_append(const std::filesystem::path& path) {
  return Descriptor(::open(path.c_str(), kAppend, 0666));
}

Descriptor open_own_to_append(const std::filesystem::path& path) {
  constexpr mode_t kMode = 0644;  // writable by its owner only, for any umask
  return Descriptor(::open(path.c_str(), kAppend | O_NOFOLLOW, kMode));
}

Descriptor open_own(const std::filesystem::path& path) {
  const Descriptor folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number < 0) return Descriptor(-1);
  Descriptor file(::openat(folder.number, path.filename().c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.number < 0 && errno != ELOOP) return Descriptor(-1);
  if (is_own(folder, S_IFDIR) && is_own(file, S_IFREG)) return file;
  log(fmt::format(
      "{} is not used: not a plain file of this user in a folder that no other user can write",
      path.string()));
  return Descriptor(-1);
}

Descriptor create_aside(std::filesystem::path& path) {
  std::string name = path.string();
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  path = name;
  return file;
}

std::optional<FileStatus> status_of(const Descriptor& file) {
  struct stat status = {};
  if (::fstat(file.number, &status) != 0) return std::nullopt;
  return FileStatus{S_ISREG(status.st_mode), static_cast<std::uint64_t>(status.st_size)};
}

bool is_own_file(const Descriptor& file) { return is_own(file, S_IFREG); }

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

std::optional<char> last_byte(const Descriptor& file) {
  const off_t size = ::lseek(file.number, 0, SEEK_END);
  char last = 0;
  if (size <= 0 || ::pread(file.number, &last, 1, size - 1) != 1) return std::nullopt;
  return last;
}

void rewind(const Descriptor& file) { ::lseek(file.number, 0, SEEK_SET); }

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

bool flush(const Descriptor& file) { return ::fsync(file.number) == 0; }

bool truncate(const Descriptor& file) { return ::ftruncate(file.number, 0) == 0; }

bool lock(const Descriptor& file) { return ::flock(file.number, LOCK_EX | LOCK_NB) == 0; }

}  // namespace tessera::inline v0::runtime
