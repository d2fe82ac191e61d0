// Files by the calls of POSIX.
#include "platform/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace tessera::tool {

int open_to_read(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

int open_to_write(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
}

int create_aside(std::filesystem::path& path) {
  std::string name = path.string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  path = name;
  return file;
}

bool close_file(int file) { return ::close(file) == 0; }

std::ptrdiff_t read_some(int file, void* data, std::size_t bytes) {
  for (;;) {
    const auto count = ::read(file, data, bytes);
    if (count >= 0 || errno != EINTR) return count;
  }
}

bool write_all(int file, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const auto written = ::write(file, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool finish_file(int file, std::optional<unsigned> permissions) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(file, permissions.value_or(0666 & ~mask)) == 0 && ::fsync(file) == 0;
}

bool put_in_place(const std::filesystem::path& file, const std::filesystem::path& target) {
  return ::rename(file.c_str(), target.c_str()) == 0;
}

bool is_stream(const std::filesystem::path& path) {
  struct stat status = {}, standard = {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const bool is_standard = ::fstat(STDIN_FILENO, &standard) == 0 &&
                           standard.st_dev == status.st_dev && standard.st_ino == status.st_ino;
  return S_ISFIFO(status.st_mode) || (is_standard && !S_ISREG(status.st_mode));
}

bool is_writable(const std::filesystem::path& path) { return ::access(path.c_str(), W_OK) == 0; }

bool is_own_file(const std::filesystem::path& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == ::geteuid();
}

}  // namespace tessera::tool
