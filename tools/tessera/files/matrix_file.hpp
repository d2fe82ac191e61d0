// Matrix sources: .npy, .mtx and .csv files, standard input, and generators.
#pragma once

#include <optional>
#include <string>

#include "files/host_matrix.hpp"

namespace tessera::tool {

/// Stored: the type of a source's numbers.
struct Stored {
  char kind = 'f';  ///< 'f', 'i', 'u' or 'b' as NumPy's type codes; 'g': a generator has any type
  std::size_t size = 8;  ///< of an element, in bytes

  bool operator==(const Stored&) const = default;
};

/// Source: a matrix named on the command line, by a file or a pipe, which is read once, by "-" for
/// standard input, or by a generator.
class Source {
 public:
  /// Throws UsageError if the file does not exist, or has an impossible shape. Also throws if
  /// neither its ending nor, for standard input and pipes, its first bytes determine its format.
  explicit Source(const std::string& name);

  const std::string& name() const { return name_; }
  /// Text is stored as double: decimals have no other type.
  Stored stored() const { return stored_; }
  /// Known before there is memory for the elements.
  Shape shape() const { return shape_; }
  /// Bytes of host memory that it has since it was opened, and that it needs besides the matrix
  /// while it is read as this type.
  double held() const;
  double needed_to_read(ElementType type) const;
  /// The matrix. Throws UsageError with one line that names source and cause.
  template <Element T>
  HostMatrix<T> read() const;

 private:
  enum class Format { generator, npy, matrix_market, csv };

  std::string name_, content_;
  Format format_ = Format::generator;
  Stored stored_;
  Shape shape_;
  std::optional<HostMatrix<double>> csv_;  // its size is known when all is read
};

}  // namespace tessera::tool
