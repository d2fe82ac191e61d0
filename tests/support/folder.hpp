// A folder for the files of a test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera::test {

/// A folder of its own that goes with the test.
class Folder {
 public:
  /// Throws std::filesystem::filesystem_error where none can be made.
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  const std::filesystem::path& path() const { return path_; }
  /// The path of a file in it, as text.
  std::string at(std::string_view name) const { return (path_ / name).string(); }
  /// Writes a file, and the folders that it is in; returns its name.
  std::string file(const std::string& name, std::string_view content) const;
  std::string content(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

/// The bytes of a file; none if it cannot be read.
std::string content_of(const std::filesystem::path& path);

}  // namespace tessera::test
