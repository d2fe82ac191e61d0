// Files by their descriptors: opened without waiting, checked, then read or written.
#include "runtime/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "runtime/path.hpp"
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
  const auto status = status_of(file);
  if (!status) throw failure(name);
  if (!status->is_regular)
    throw Error(ErrorCode::io, fmt::format("{}: is not a regular file", name));
  return status->bytes;
}

}  // namespace

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
  const Descriptor file = open_to_read(path);
  if (file.number < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (file.number < 0) throw failure(text_of(path));
  return read_text(file, text_of(path));
}

void append_lines(const std::filesystem::path& path, std::string_view lines) {
  std::error_code ignored;  // opening the file reports it
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  const Descriptor file = open_to_append(path);
  if (file.number < 0) throw failure(text_of(path));
  append_lines(file, text_of(path), lines);
}

void append_lines(const Descriptor& file, const std::string& name, std::string_view lines) {
  regular_size(file, name);
  std::string text(lines);
  if (last_byte(file).value_or('\n') != '\n') text.insert(0, 1, '\n');
  if (!write_all(file.number, text.data(), text.size()) || !flush(file)) throw failure(name);
}

}  // namespace tessera::inline v0::runtime
