// Matrix sources: .npy, .mtx and .csv files, and generators.
#pragma once

#include <optional>
#include <string>

#include "host_matrix.hpp"

namespace tessera::tool {

/// What names a matrix on the command line: a file, read once, or a generator.
class Source {
 public:
  /// Throws UsageError where there is no such file, or the format is not known by its ending.
  explicit Source(const std::string& name);

  /// The type that fits best: that of an .npy file's elements, float for the rest.
  ElementType natural_type() const;
  /// The matrix. Throws UsageError with one line that names source and cause.
  template <Element T>
  HostMatrix<T> read() const;

 private:
  std::string name_, ending_, content_;
};

/// A file that is either whole or not there: what is written goes aside first.
class OutputFile {
 public:
  /// Opens it for writing; throws UsageError if that cannot be done, or the name does not end in
  /// .npy.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Writes a matrix and puts the file in its place.
  template <Element T>
  void write(const HostMatrix<T>& matrix);

 private:
  void open_aside();
  void write_bytes(const void* data, std::size_t bytes);
  void commit();

  std::string path_, target_,
      aside_;  // as named; without links; where it is written, empty: target
  int file_ = -1;
  std::optional<unsigned> mode_;  // of a file that is there already
};

}  // namespace tessera::tool
