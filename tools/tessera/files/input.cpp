// Reading what may have no size: pipes and standard input.
#include "files/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "platform/file.hpp"
#include "platform/path.hpp"
#include "platform/system.hpp"
#include "terminal.hpp"
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
    const auto count = read_some(file, content.data() + size, content.size() - size);
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
  explicit OpenFile(const std::string& name) : number_(open_to_read(path_of(name))) {
    if (number_ < 0) throw cannot_read(name);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close_file(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_input(const std::string& name) {
  if (name == kStandardStream) return read_to_end(kStandardInput, "standard input");
  if (is_stream(path_of(name))) return read_to_end(OpenFile(name).number(), name);
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path_of(name), unknown);
  if (!unknown) check_size(static_cast<double>(size), name);
  return read_file(name);  // says why what is neither a file nor a pipe is refused
}

}  // namespace tessera::tool
