// Descriptors of Windows' C library, in binary mode. The access lists of folders take the place of
// permissions.
#include "runtime/descriptor.hpp"

#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "runtime/log.hpp"
#include "runtime/path.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr int kBinary = _O_BINARY | _O_NOINHERIT;
constexpr int kAppend = _O_RDWR | _O_APPEND | _O_CREAT | kBinary;
constexpr int kMode = _S_IREAD | _S_IWRITE;

HANDLE handle_of(const Descriptor& file) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(file.number));
}

bool is_link(const std::filesystem::path& path) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

/// The largest part of a file that one call reads or writes.
unsigned part_of(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, 1u << 30));
}

}  // namespace

Descriptor::~Descriptor() {
  if (number >= 0) ::_close(number);
}

Descriptor open_to_read(const std::filesystem::path& path) {
  return Descriptor(::_wopen(path.c_str(), _O_RDONLY | kBinary));
}

Descriptor open_to_append(const std::filesystem::path& path) {
  return Descriptor(::_wopen(path.c_str(), kAppend, kMode));
}

Descriptor open_own_to_append(const std::filesystem::path& path) {
  if (!is_link(path)) return open_to_append(path);
  errno = ELOOP;
  return Descriptor(-1);
}

Descriptor open_own(const std::filesystem::path& path) {
  Descriptor file = open_to_read(path);
  if (file.number < 0 || (!is_link(path) && is_own_file(file))) return file;
  log(text_of(path) + " is not used: it is a link or no regular file");
  return Descriptor(-1);
}

Descriptor create_aside(std::filesystem::path& path) {
  constexpr std::wstring_view kLetters = L"abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr int kAttempts = 100;
  std::wstring name = path.native();
  std::random_device random;
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    std::generate(name.end() - 6, name.end(), [&] { return kLetters[random() % kLetters.size()]; });
    Descriptor file(::_wopen(name.c_str(), _O_RDWR | _O_CREAT | _O_EXCL | kBinary, kMode));
    path = name;
    if (file.number >= 0 || errno != EEXIST) return file;
  }
  return Descriptor(-1);
}

std::optional<FileStatus> status_of(const Descriptor& file) {
  struct _stat64 status = {};
  if (::_fstat64(file.number, &status) != 0) return std::nullopt;
  return FileStatus{(status.st_mode & _S_IFMT) == _S_IFREG,
                    static_cast<std::uint64_t>(status.st_size)};
}

bool is_own_file(const Descriptor& file) {
  const auto status = status_of(file);
  return status && status->is_regular;
}

std::size_t read_some(const Descriptor& file, void* data, std::size_t bytes) {
  std::size_t count = 0;
  while (count < bytes) {
    const int got = ::_read(file.number, static_cast<char*>(data) + count, part_of(bytes - count));
    if (got <= 0) break;
    count += static_cast<std::size_t>(got);
  }
  return count;
}

std::optional<char> last_byte(const Descriptor& file) {
  char last = 0;
  if (::_lseeki64(file.number, -1, SEEK_END) < 0 || ::_read(file.number, &last, 1) != 1)
    return std::nullopt;
  return last;
}

void rewind(const Descriptor& file) { ::_lseeki64(file.number, 0, SEEK_SET); }

bool write_all(int file, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const int written = ::_write(file, next, part_of(bytes));
    if (written <= 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool flush(const Descriptor& file) { return ::_commit(file.number) == 0; }

bool truncate(const Descriptor& file) { return ::_chsize_s(file.number, 0) == 0; }

/// Locks a byte far beyond the end, because other processes cannot read a locked part.
bool lock(const Descriptor& file) {
  OVERLAPPED place = {};
  place.OffsetHigh = 1u << 30;
  constexpr DWORD kFlags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  return ::LockFileEx(handle_of(file), kFlags, 0, 1, 0, &place) != 0;
}

}  // namespace tessera::inline v0::runtime
