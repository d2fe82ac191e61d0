// NumPy's .npy format, versions 1 to 3.
#pragma once

#include <string>
#include <string_view>

#include "files/host_matrix.hpp"

namespace tessera::tool {

/// What the header of an .npy file says, checked against the size of the file.
struct NpyHeader {
  char kind = 'f';  // 'f', 'i', 'u' or 'b', as NumPy's type codes
  std::size_t item_size = 4;
  bool big_endian = false;
  bool fortran_order = false;
  std::size_t rows = 0, columns = 0;  // an array of one dimension is a column
  std::size_t data_begin = 0;
};

/// Throws UsageError, which begins with `name`.
NpyHeader npy_header(std::string_view content, const std::string& name);

template <Element T>
HostMatrix<T> read_npy(std::string_view content, const std::string& name);

/// The header of a matrix in C order.
std::string npy_header_text(ElementType type, std::size_t rows, std::size_t columns);

}  // namespace tessera::tool
