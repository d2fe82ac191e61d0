// Writing a file whole or not at all.
#include "files/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "platform/file.hpp"
#include "platform/path.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAside = ".tessera-XXXXXX";
/// Temporary files older than this have no writer.
constexpr auto kAbandoned = std::chrono::hours(1);

/// True for a temporary file that a killed writer of this user has left.
bool is_abandoned(const fs::directory_entry& entry) {
  const std::string name = text_of(entry.path().filename());
  if (name.size() != kAside.size() || !name.starts_with(kAside.substr(0, kAside.find('X'))))
    return false;
  std::error_code gone;
  const auto written = entry.last_write_time(gone);
  return !gone && is_own_file(entry.path()) &&
         fs::file_time_type::clock::now() - written > kAbandoned;
}

void remove_abandoned(const fs::path& folder) {
  std::error_code failure, ignored;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (is_abandoned(*entry)) fs::remove(entry->path(), ignored);
  }
}

UsageError cannot_write(const std::string& path) {
  return UsageError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

/// Follows a path's links, also to a file that does not exist yet. Throws UsageError for a loop.
fs::path without_links(fs::path path, const std::string& name) {
  constexpr int kMax = 40;  // as Linux follows them
  std::error_code failure;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, failure)); links++) {
    if (links == kMax) {
      errno = ELOOP;
      throw cannot_write(name);
    }
    path = path.parent_path() / fs::read_symlink(path, failure);
  }
  return path;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : name_(path) {
  std::error_code failure;
  const fs::path target = without_links(fs::absolute(path_of(path), failure), path);
  target_ = fs::weakly_canonical(target, failure);
  if (target_.empty()) target_ = path_of(path);
  const auto status = fs::status(target_, failure);
  if (fs::is_directory(status)) throw UsageError(fmt::format("{}: is a folder", path));
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device or a pipe has nothing aside
    file_ = open_to_write(target_);
  } else {
    if (fs::exists(status)) {
      if (!is_writable(target_)) throw cannot_write(name_);
      mode_ = static_cast<unsigned>(status.permissions() & fs::perms::mask);
    }
    remove_abandoned(target_.parent_path());
    open_aside();  // only to see that it can be: a run that is broken off leaves nothing behind
    close_file(std::exchange(file_, -1));
    fs::remove(aside_, failure);
    return;
  }
  if (file_ < 0) throw cannot_write(name_);
}

void OutputFile::open_aside() {
  aside_ = target_.parent_path() / kAside;
  file_ = create_aside(aside_);
  if (file_ >= 0) return;
  aside_.clear();
  throw cannot_write(name_);
}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  close_file(file_);
  std::error_code ignored;
  if (!aside_.empty()) fs::remove(aside_, ignored);
}

void OutputFile::write(std::initializer_list<std::string_view> parts) {
  if (file_ < 0) open_aside();
  for (const std::string_view part : parts) {
    if (!write_all(file_, part.data(), part.size())) throw cannot_write(name_);
  }
  commit();
}

void OutputFile::commit() {
  const bool is_aside = !aside_.empty();
  if (is_aside && !finish_file(file_, mode_)) throw cannot_write(name_);
  const bool closed = close_file(std::exchange(file_, -1));
  if (closed && (!is_aside || put_in_place(aside_, target_))) return;
  const int error = errno;
  std::error_code ignored;
  if (is_aside) fs::remove(aside_, ignored);
  errno = error;
  throw cannot_write(name_);
}

}  // namespace tessera::tool
