// Writing a file whole or not at all.
#include "files/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "usage_error.hpp"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAside = ".tessera-XXXXXX";
/// Temporary files older than this have no writer.
constexpr auto kAbandoned = std::chrono::hours(1);

/// True for a temporary file that a killed writer of this user has left.
bool is_abandoned(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  if (name.size() != kAside.size() || !name.starts_with(kAside.substr(0, kAside.find('X'))))
    return false;
  struct stat status = {};
  if (::lstat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const auto written = std::chrono::system_clock::from_time_t(status.st_mtime);
  return status.st_uid == ::geteuid() && std::chrono::system_clock::now() - written > kAbandoned;
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

OutputFile::OutputFile(const std::string& path) : path_(path) {
  std::error_code failure;
  const fs::path target = without_links(fs::absolute(path, failure), path);
  target_ = fs::weakly_canonical(target, failure).string();
  if (target_.empty()) target_ = path;
  const auto status = fs::status(target_, failure);
  if (fs::is_directory(status)) throw UsageError(fmt::format("{}: is a folder", path));
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device or a pipe has nothing aside
    file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (fs::exists(status)) {
      if (::access(target_.c_str(), W_OK) != 0) throw cannot_write(path_);
      mode_ = static_cast<unsigned>(status.permissions() & fs::perms::mask);
    }
    remove_abandoned(fs::path(target_).parent_path());
    open_aside();  // only to see that it can be: a run that is broken off leaves nothing behind
    ::close(std::exchange(file_, -1));
    ::unlink(aside_.c_str());
    return;
  }
  if (file_ < 0) throw cannot_write(path_);
}

void OutputFile::open_aside() {
  aside_ = (fs::path(target_).parent_path() / kAside).string();
  file_ = ::mkostemp(aside_.data(), O_CLOEXEC);
  if (file_ >= 0) return;
  aside_.clear();
  throw cannot_write(path_);
}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  ::close(file_);
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

void OutputFile::write(std::initializer_list<std::string_view> parts) {
  if (file_ < 0) open_aside();
  for (const std::string_view part : parts) write_bytes(part);
  commit();
}

void OutputFile::write_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool is_aside = !aside_.empty();
  if (is_aside && (::fchmod(file_, mode_.value_or(0666 & ~mask)) != 0 || ::fsync(file_) != 0))
    throw cannot_write(path_);
  const bool closed = ::close(std::exchange(file_, -1)) == 0;
  if (closed && (!is_aside || ::rename(aside_.c_str(), target_.c_str()) == 0)) return;
  const int error = errno;
  if (is_aside) ::unlink(aside_.c_str());
  errno = error;
  throw cannot_write(path_);
}

}  // namespace tessera::tool
