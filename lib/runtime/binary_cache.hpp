// Binary cache: built programs on disk, so that the next process need not compile them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::inline v0::runtime {

using Binary = std::vector<unsigned char>;

class BinaryCache {
 public:
  /// $TESSERA_CACHE is a folder or "off"; without it the folder is $XDG_CACHE_HOME/tessera.
  static BinaryCache from_environment();
  /// No folder: nothing is kept.
  explicit BinaryCache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  bool on() const { return folder_.has_value(); }

  /// The binary kept under `key`; nothing where there is none, or one that is not whole.
  std::optional<Binary> read(std::string_view key) const;
  /// Keeps a binary. A disk that is full or cannot be written is no error: then nothing is kept.
  void write(std::string_view key, const Binary& binary) const;
  /// Forgets the binary under `key`.
  void remove(std::string_view key) const;

 private:
  std::filesystem::path path_of(std::string_view key) const;

  std::optional<std::filesystem::path> folder_;
};

}  // namespace tessera::inline v0::runtime
