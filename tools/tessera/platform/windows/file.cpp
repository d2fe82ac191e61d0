// Files by descriptors of Windows' C library, in binary mode.
#include "platform/file.hpp"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <random>

namespace tessera::tool {
namespace {

constexpr int kBinary = _O_BINARY | _O_NOINHERIT;

/// The largest part of a file that one call reads or writes.
unsigned part_of(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, 1u << 30));
}

}  // namespace

int open_to_read(const std::filesystem::path& path) {
  return ::_wopen(path.c_str(), _O_RDONLY | kBinary);
}

int open_to_write(const std::filesystem::path& path) {
  return ::_wopen(path.c_str(), _O_WRONLY | kBinary);
}

int create_aside(std::filesystem::path& path) {
  constexpr std::wstring_view kLetters = L"abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr int kAttempts = 100;
  std::wstring name = path.native();
  std::random_device random;
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    std::generate(name.end() - 6, name.end(), [&] { return kLetters[random() % kLetters.size()]; });
    const int file =
        ::_wopen(name.c_str(), _O_RDWR | _O_CREAT | _O_EXCL | kBinary, _S_IREAD | _S_IWRITE);
    path = name;
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

bool close_file(int file) { return ::_close(file) == 0; }

std::ptrdiff_t read_some(int file, void* data, std::size_t bytes) {
  return ::_read(file, data, part_of(bytes));
}

bool write_all(int file, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const int written = ::_write(file, next, part_of(bytes));
    if (written < 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool finish_file(int file, std::optional<unsigned>) { return ::_commit(file) == 0; }

bool put_in_place(const std::filesystem::path& file, const std::filesystem::path& target) {
  constexpr DWORD kFlags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  if (::MoveFileExW(file.c_str(), target.c_str(), kFlags)) return true;
  errno = EACCES;
  return false;
}

bool is_stream(const std::filesystem::path&) { return false; }

bool is_writable(const std::filesystem::path& path) {
  constexpr int kWrite = 2;
  return ::_waccess(path.c_str(), kWrite) == 0;
}

bool is_own_file(const std::filesystem::path& path) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  constexpr DWORD kOthers = FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DIRECTORY;
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & kOthers) == 0;
}

}  // namespace tessera::tool
