// The header of NumPy's .npy format, versions 1 to 3.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "files/any_matrix.hpp"

namespace tessera::tool {

/// NpyHeader: the header of an .npy file, checked against the size of the file.
struct NpyHeader {
  char kind = 'f';  // 'f', 'c', 'i', 'u' or 'b', as NumPy's type codes; 'V': bfloat16
  std::size_t item_size = 4;
  bool big_endian = false;
  bool fortran_order = false;
  // An array of one dimension is a column, one of three a stack of matrices.
  std::size_t rows = 0, columns = 0, stack = 0;
  std::size_t data_begin = 0;

  /// The index in the file of the element with this index in row-major order.
  std::size_t place(std::size_t index) const {
    if (!fortran_order) return index;
    const std::size_t i = index / columns, j = index % columns;
    const std::size_t count = stack == 0 ? 1 : stack, block = rows / count;
    return i / block + i % block * count + j * rows;
  }
};

/// NumPy has no bfloat16; ml_dtypes writes it as '<V2' or '>V2'. Raw bytes are '|V2'. Throws
/// UsageError, which begins with `name`.
NpyHeader npy_header(std::string_view content, const std::string& name);

/// The `kind` of elements of a type.
char npy_kind(ElementType type);

/// The header of a matrix, or of a stack, in C order.
std::string npy_header_text(ElementType type, const Shape& shape);

}  // namespace tessera::tool
