// Files of built programs: written to a temporary file and renamed, checked by length and hash when
// read, and evicted by the time of their last use.
#include "runtime/binary_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/environment.hpp"
#include "runtime/file.hpp"
#include "runtime/log.hpp"
#include "runtime/path.hpp"
#include "tessera/cache.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

namespace fs = std::filesystem;

struct Header {
  std::array<char, 8> magic = {'t', 'e', 's', 's', 'e', 'r', 'a', '1'};
  std::uint64_t length = 0;
  XXH128_hash_t key = {};
  XXH128_hash_t content = {};
};

struct CachedFile {
  fs::path path;
  std::uint64_t bytes;
  fs::file_time_type used;
};

XXH128_hash_t hash(std::string_view text) { return XXH3_128bits(text.data(), text.size()); }

Header header_of(std::string_view key, const Binary& binary) {
  Header header;
  header.length = binary.size();
  header.key = hash(key);
  header.content = XXH3_128bits(binary.data(), binary.size());
  return header;
}

/// A binary is marked as used at most once an hour: more often is not worth the disk access.
constexpr auto kMarked = std::chrono::hours(1);
/// A temporary file older than this no longer has a writer.
constexpr auto kAbandoned = std::chrono::hours(1);

constexpr std::string_view kAside = "new-XXXXXX";

/// Returns whether the file is named like a binary: 128 bits in hexadecimal digits.
bool is_binary(const fs::path& path) {
  const std::string stem = path.stem().string();
  return path.extension() == ".bin" && stem.size() == 32 &&
         stem.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Reads the binary of this key from a file; nothing if it is damaged, or larger than the cache.
std::optional<Binary> binary_in(const Descriptor& file, std::string_view key, const fs::path& path,
                                std::uint64_t limit) {
  Header header;
  if (read_some(file, &header, sizeof header) != sizeof header) return std::nullopt;
  std::error_code failure;
  const auto size = fs::file_size(path, failure);
  if (failure || header.length > limit || size != sizeof header + header.length)
    return std::nullopt;
  Binary binary(header.length);
  if (read_some(file, binary.data(), binary.size()) != binary.size()) return std::nullopt;
  const Header expected = header_of(key, binary);
  if (std::memcmp(&header, &expected, sizeof header) != 0) return std::nullopt;
  return binary;
}

/// Returns whether write() created this file as a temporary one. Another program could use such a
/// name, so the file must also begin as a binary does, or be empty.
bool is_aside(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.size() != kAside.size() || !name.starts_with("new-")) return false;
  const Descriptor file = open_own(path);
  std::array<char, 8> magic = {};
  return file.number >= 0 &&
         (read_some(file, magic.data(), magic.size()) == 0 || magic == Header().magic);
}

/// The files of a folder; those that vanish in the meantime are left out.
std::vector<CachedFile> files_in(const fs::path& folder) {
  std::vector<CachedFile> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code gone;
    const auto size = entry->file_size(gone);
    const auto used = gone ? fs::file_time_type() : entry->last_write_time(gone);
    if (!gone) files.push_back({entry->path(), size, used});
  }
  return files;
}

}  // namespace

BinaryCache BinaryCache::from_environment() {
  const std::string wish = environment("TESSERA_CACHE");
  if (wish.empty()) return BinaryCache(user_folder("XDG_CACHE_HOME", ".cache"));
  if (wish == "off") return BinaryCache(std::nullopt);
  return BinaryCache(runtime::path_of(wish));
}

fs::path BinaryCache::path_of(std::string_view key) const {
  const auto value = hash(key);
  return *folder_ / fmt::format("{:016x}{:016x}.bin", value.high64, value.low64);
}

std::optional<Binary> BinaryCache::read(std::string_view key) const {
  if (!folder_) return std::nullopt;
  const fs::path path = path_of(key);
  const Descriptor file = open_own(path);
  if (file.number < 0) return std::nullopt;
  auto binary = binary_in(file, key, path, limit_);
  if (!binary) {
    log(fmt::format("{} is not used: it is damaged, or too large", text_of(path)));
    return std::nullopt;
  }
  std::error_code failure;
  const auto now = fs::file_time_type::clock::now();
  if (now - fs::last_write_time(path, failure) > kMarked && !failure)
    fs::last_write_time(path, now, failure);
  return binary;
}

void BinaryCache::write(std::string_view key, const Binary& binary) const {
  if (!folder_) return;
  std::error_code failure;
  if (fs::create_directories(*folder_, failure)) {
    fs::permissions(*folder_, fs::perms::owner_all, failure);
  }
  fs::path aside = *folder_ / kAside;
  bool whole = false;
  {
    const Descriptor file = create_aside(aside);
    if (file.number < 0) return;
    const Header header = header_of(key, binary);
    whole = write_all(file.number, &header, sizeof header) &&
            write_all(file.number, binary.data(), binary.size()) && flush(file);
  }
  if (whole) fs::rename(aside, path_of(key), failure);
  if (!whole || failure) fs::remove(aside, failure);
  trim();
}

void BinaryCache::trim() const {
  auto files = files_in(*folder_);
  std::erase_if(files, [](const CachedFile& file) {
    if (is_binary(file.path)) return false;
    std::error_code ignored;
    if (fs::file_time_type::clock::now() - file.used > kAbandoned && is_aside(file.path))
      fs::remove(file.path, ignored);
    return true;
  });
  // Other processes may be trimming too: what one of them removes counts as removed.
  std::ranges::sort(files, std::ranges::greater(),
                    [](const CachedFile& file) { return std::pair(file.used, file.path); });
  std::uint64_t kept = 0;
  for (const CachedFile& file : files) {
    std::error_code ignored;
    kept += file.bytes;
    if (kept > limit_) fs::remove(file.path, ignored);
  }
}

BinaryCache::Use BinaryCache::use() const {
  Use use;
  if (!folder_) return use;
  for (const CachedFile& file : files_in(*folder_)) {
    if (!is_binary(file.path)) continue;
    use.programs++;
    use.bytes += file.bytes;
  }
  return use;
}

BinaryCache::Use BinaryCache::clear() const {
  Use removed;
  if (!folder_) return removed;
  for (const CachedFile& file : files_in(*folder_)) {
    const bool binary = is_binary(file.path);
    if (!binary && !is_aside(file.path)) continue;
    std::error_code failure;
    fs::remove(file.path, failure);
    if (failure)
      throw Error(ErrorCode::io, fmt::format("{}: {}", text_of(file.path), failure.message()));
    removed.programs += binary ? 1 : 0;
    removed.bytes += file.bytes;
  }
  return removed;
}

void BinaryCache::remove(std::string_view key) const {
  std::error_code ignored;
  if (folder_) fs::remove(path_of(key), ignored);
}

}  // namespace tessera::inline v0::runtime

namespace tessera::inline v0 {

CacheInfo program_cache() {
  const auto cache = runtime::BinaryCache::from_environment();
  const auto use = cache.use();
  return {cache.folder().value_or(std::filesystem::path()), use.programs, use.bytes, cache.limit()};
}

CacheInfo clear_program_cache() {
  const auto cache = runtime::BinaryCache::from_environment();
  const auto removed = cache.clear();
  return {cache.folder().value_or(std::filesystem::path()), removed.programs, removed.bytes,
          cache.limit()};
}

}  // namespace tessera::inline v0
