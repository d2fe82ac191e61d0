// Binary cache: built programs on disk, so that the next process need not compile them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::inline v0::runtime {

using Binary = std::vector<unsigned char>;

class BinaryCache {
 public:
  /// $TESSERA_CACHE is a folder or "off"; without it the folder is $XDG_CACHE_HOME/tessera.
  static BinaryCache from_environment();
  /// No folder: nothing is kept. `limit`: the maximum total size of the binaries there, in bytes.
  explicit BinaryCache(std::optional<std::filesystem::path> folder, std::uint64_t limit = kLimit)
      : folder_(std::move(folder)), limit_(limit) {}

  static constexpr std::uint64_t kLimit = std::uint64_t{256} << 20;

  bool on() const { return folder_.has_value(); }
  const std::optional<std::filesystem::path>& folder() const { return folder_; }
  std::uint64_t limit() const { return limit_; }

  /// The binary stored under `key`; nothing if there is none, it is incomplete, or anyone but this
  /// user could have put it there.
  std::optional<Binary> read(std::string_view key) const;
  /// Stores a binary, and removes the least recently used ones beyond the limit and what crashed
  /// writers have left behind. A full or read-only disk is not an error: nothing is stored then.
  /// Several processes may do all of this concurrently.
  void write(std::string_view key, const Binary& binary) const;
  /// Removes the binary under `key`.
  void remove(std::string_view key) const;

  struct Use {
    std::uint64_t programs = 0, bytes = 0;
  };
  /// Counts the stored binaries and their bytes.
  Use use() const;
  /// Removes everything that write() created and nothing else; returns what it was. Throws Error.
  Use clear() const;

 private:
  void trim() const;
  std::filesystem::path path_of(std::string_view key) const;

  std::optional<std::filesystem::path> folder_;
  std::uint64_t limit_;
};

}  // namespace tessera::inline v0::runtime
