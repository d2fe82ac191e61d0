// The header of NumPy's .npy format, versions 1 to 3.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "files/host_matrix.hpp"

namespace tessera::tool {

/// NpyHeader: the header of an .npy file, checked against the size of the file.
struct NpyHeader {
  char kind = 'f';  // 'f', 'i', 'u' or 'b', as NumPy's type codes
  std::size_t item_size = 4;
  bool big_endian = false;
  bool fortran_order = false;
  // An array of one dimension is a column, one of three a stack of matrices.
  std::size_t rows = 0, columns = 0, stack = 0;
  std::size_t data_begin = 0;

  /// Returns the index of element (i, j) among the elements of the file.
  std::size_t place(std::size_t i, std::size_t j) const {
    if (!fortran_order) return i * columns + j;
    const std::size_t count = stack == 0 ? 1 : stack, block = rows / count;
    return i / block + i % block * count + j * rows;
  }
};

/// Throws UsageError, which begins with `name`.
NpyHeader npy_header(std::string_view content, const std::string& name);

/// The header of a matrix, or of a stack, in C order.
std::string npy_header_text(ElementType type, const Shape& shape);

}  // namespace tessera::tool
