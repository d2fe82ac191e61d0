// Reading what may have no size: pipes and standard input.
#include "files/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "files/any_matrix.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

UsageError cannot_read(const std::string& name) {
  return UsageError(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
}

void check_size(double bytes, const std::string& name) {
  if (bytes > host_memory()) {
    throw UsageError(fmt::format("{}: has {} or more, this machine {}", name, text_of_bytes(bytes),
                                 text_of_bytes(host_memory())));
  }
}

/// Everything up to the end.
std::string read_to_end(int file, const std::string& name) {
  std::string content;
  std::size_t size = 0;
  for (;;) {
    if (size == content.size()) {
      content.resize(std::max<std::size_t>(std::size_t(1) << 16, 2 * size));
      check_size(static_cast<double>(content.size()), name);
    }
    const auto count = ::read(file, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw cannot_read(name);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  content.resize(size);
  return content;
}

/// A file that is closed at the end.
class OpenFile {
 public:
  explicit OpenFile(const std::string& name) : number_(::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) throw cannot_read(name);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_input(const std::string& name) {
  if (name == kStandardStream) return read_to_end(STDIN_FILENO, "standard input");
  struct stat status = {};
  const bool exists = ::stat(name.c_str(), &status) == 0;
  struct stat standard = {};
  const bool is_standard = exists && ::fstat(STDIN_FILENO, &standard) == 0 &&
                           standard.st_dev == status.st_dev && standard.st_ino == status.st_ino;
  if (exists && (S_ISFIFO(status.st_mode) || (is_standard && !S_ISREG(status.st_mode))))
    return read_to_end(OpenFile(name).number(), name);
  if (exists) check_size(static_cast<double>(status.st_size), name);
  return read_file(name);  // says why what is neither a file nor a pipe is refused
}

}  // namespace tessera::tool
