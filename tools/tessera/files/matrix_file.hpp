// Matrix sources: .npy, .mtx and .csv files, and generators.
#pragma once

#include <string>

#include "files/host_matrix.hpp"
#include "files/output_file.hpp"

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

/// An .npy file that is either whole or not there.
class MatrixOutput {
 public:
  /// Throws UsageError if it cannot be written, or its name does not end in .npy.
  explicit MatrixOutput(const std::string& path);

  template <Element T>
  void write(const HostMatrix<T>& matrix);

 private:
  OutputFile file_;
};

}  // namespace tessera::tool
