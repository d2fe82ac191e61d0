// Files of built programs: written aside and renamed, checked by length and hash when read.
#include "runtime/binary_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/environment.hpp"

namespace tessera::inline v0::runtime {
namespace {

namespace fs = std::filesystem;

struct Header {
  std::array<char, 8> magic = {'t', 'e', 's', 's', 'e', 'r', 'a', '1'};
  std::uint64_t length = 0;
  XXH128_hash_t key = {};
  XXH128_hash_t content = {};
};

XXH128_hash_t hash(std::string_view text) { return XXH3_128bits(text.data(), text.size()); }

Header header_of(std::string_view key, const Binary& binary) {
  Header header;
  header.length = binary.size();
  header.key = hash(key);
  header.content = XXH3_128bits(binary.data(), binary.size());
  return header;
}

bool write_all(int file, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const auto written = ::write(file, next, bytes);
    if (written <= 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

BinaryCache BinaryCache::from_environment() {
  const std::string wish = environment("TESSERA_CACHE");
  if (wish.empty()) return BinaryCache(user_folder("XDG_CACHE_HOME", ".cache"));
  if (wish == "off") return BinaryCache(std::nullopt);
  return BinaryCache(fs::path(wish));
}

fs::path BinaryCache::path_of(std::string_view key) const {
  const auto value = hash(key);
  return *folder_ / fmt::format("{:016x}{:016x}.bin", value.high64, value.low64);
}

std::optional<Binary> BinaryCache::read(std::string_view key) const {
  if (!folder_) return std::nullopt;
  std::ifstream file(path_of(key), std::ios::binary);
  Header header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  std::error_code failure;
  const auto size = fs::file_size(path_of(key), failure);
  if (failure || size != sizeof header + header.length) return std::nullopt;
  Binary binary(header.length);
  if (!file.read(reinterpret_cast<char*>(binary.data()),
                 static_cast<std::streamsize>(binary.size()))) {
    return std::nullopt;
  }
  const Header expected = header_of(key, binary);
  if (std::memcmp(&header, &expected, sizeof header) != 0) return std::nullopt;
  return binary;
}

void BinaryCache::write(std::string_view key, const Binary& binary) const {
  if (!folder_) return;
  std::error_code failure;
  if (fs::create_directories(*folder_, failure)) {
    fs::permissions(*folder_, fs::perms::owner_all, failure);
  }
  std::string aside = (*folder_ / "new-XXXXXX").string();
  const int file = ::mkstemp(aside.data());
  if (file < 0) return;
  const Header header = header_of(key, binary);
  const bool whole = write_all(file, &header, sizeof header) &&
                     write_all(file, binary.data(), binary.size()) && ::fsync(file) == 0;
  ::close(file);
  if (whole) fs::rename(aside, path_of(key), failure);
  if (!whole || failure) fs::remove(aside, failure);
}

void BinaryCache::remove(std::string_view key) const {
  std::error_code ignored;
  if (folder_) fs::remove(path_of(key), ignored);
}

}  // namespace tessera::inline v0::runtime
