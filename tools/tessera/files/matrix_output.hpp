// Matrix output: a matrix as an .npy, .csv or .mtx file, or as CSV on standard output.
#pragma once

#include <optional>
#include <string>

#include "files/any_matrix.hpp"
#include "files/output_file.hpp"

namespace tessera::tool {

/// A file that is either whole or not there, in the format that its ending says; "-" is standard
/// output, as CSV.
class MatrixOutput {
 public:
  /// Throws UsageError if it cannot be written, its name has another ending, or the format has no
  /// such elements.
  MatrixOutput(const std::string& path, ElementType type);

  /// A stack keeps its three dimensions in .npy alone.
  void write(const AnyMatrix& matrix);

 private:
  std::string ending_;
  std::optional<OutputFile> file_;  // none: standard output
};

}  // namespace tessera::tool
