// Texts and bytes of matrices.
#include "runtime/shape.hpp"

#include <fmt/format.h>

#include <limits>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

std::string shape_text(std::size_t rows, std::size_t columns) {
  return fmt::format("{} x {}", rows, columns);
}

std::string matrix_text(std::size_t rows, std::size_t columns) {
  return fmt::format("a matrix of {} elements", shape_text(rows, columns));
}

std::size_t bytes_of(std::size_t rows, std::size_t columns, std::size_t element_bytes) {
  const std::size_t max_elements = std::numeric_limits<std::ptrdiff_t>::max() / element_bytes;
  if (columns != 0 && rows > max_elements / columns) {
    throw MatrixError(ErrorCode::too_large,
                      matrix_text(rows, columns) + " is more than 64 bits can address");
  }
  return rows * columns * element_bytes;
}

}  // namespace tessera::inline v0::runtime
