// Output file: written whole, or not there at all.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::tool {

/// A file that is either whole or not there: what is written goes aside first.
class OutputFile {
 public:
  /// Tests whether the file can be written, and removes temporary files of killed writers from its
  /// folder; throws UsageError if it cannot.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Writes one part after the other, and puts the file in its place.
  void write(std::initializer_list<std::string_view> parts);

 private:
  void open_aside();
  void commit();

  std::string name_;
  std::filesystem::path target_;  // without links
  std::filesystem::path aside_;   // where it is written; empty: in the target
  int file_ = -1;
  std::optional<unsigned> mode_;  // of a file that is there already
};

}  // namespace tessera::tool
