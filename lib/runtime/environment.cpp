// Environment variables, folders of the XDG base directory specification, appending to files.
#include "runtime/environment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// Does the file end in the middle of a line?
bool ends_within_line(int file) {
  const off_t size = ::lseek(file, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

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

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<std::filesystem::path> user_folder(const char* variable, const char* otherwise) {
  if (const auto base = environment(variable); !base.empty())
    return std::filesystem::path(base) / "tessera";
  if (const auto home = environment("HOME"); !home.empty())
    return std::filesystem::path(home) / otherwise / "tessera";
  return std::nullopt;
}

void append_lines(const std::filesystem::path& path, std::string_view lines) {
  std::error_code ignored;  // opening the file reports it
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const auto fail = [&] {
    const Error error(fmt::format("{}: {}", path.string(), std::strerror(errno)));
    if (file >= 0) ::close(file);
    throw error;
  };
  if (file < 0) fail();
  std::string text(lines);
  if (ends_within_line(file)) text.insert(0, 1, '\n');
  if (!write_all(file, text.data(), text.size()) || ::fsync(file) != 0) fail();
  ::close(file);
}

}  // namespace tessera::inline v0::runtime
