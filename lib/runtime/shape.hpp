// Shapes of matrices in messages, and the bytes that they take.
#pragma once

#include <cstddef>
#include <string>

namespace tessera::inline v0::runtime {

/// A dense matrix in memory.
struct MatrixSize {
  std::size_t rows, columns, element_bytes;
};

/// "3 x 5".
std::string shape_text(std::size_t rows, std::size_t columns);
/// "a matrix of 3 x 5 elements", as errors name what memory is for.
std::string matrix_text(std::size_t rows, std::size_t columns);

/// Throws MatrixError if 63 bits do not hold them.
std::size_t bytes_of(std::size_t rows, std::size_t columns, std::size_t element_bytes);

}  // namespace tessera::inline v0::runtime
