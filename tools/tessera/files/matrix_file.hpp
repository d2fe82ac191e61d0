// Matrix sources: .npy, .mtx and .csv files, standard input, and generators.
#pragma once

#include <string>

#include "files/any_matrix.hpp"
#include "files/npy_header.hpp"

namespace tessera::tool {

/// Stored: the type of a source's numbers.
struct Stored {
  /// As in NpyHeader; 'g': a generator has any type.
  char kind = 'f';
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
  /// Text is stored as double, or complex numbers as two of them: decimals have no other type.
  Stored stored() const { return stored_; }
  /// Known before there is memory for the elements.
  Shape shape() const { return shape_; }
  /// Bytes of host memory for the content that is read already, or for the matrix of this type: the
  /// larger number.
  double held(ElementType type) const;
  /// Bytes that it needs besides while it is read.
  double needed_to_read(ElementType type) const;
  /// The matrix; the source gives up its content. Throws UsageError with one line that names source
  /// and cause.
  AnyMatrix read(ElementType type) &&;

 private:
  enum class Format { generator, npy, matrix_market, csv };

  std::string name_, content_;
  Format format_ = Format::generator;
  Stored stored_;
  Shape shape_;
  NpyHeader npy_;
  Numbers csv_;  // its size is known when all is read
};

}  // namespace tessera::tool
