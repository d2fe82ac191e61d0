// Finds the first element of a row that the solver does not accept.
#include "eigen/offence.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "operands/numbers.hpp"

namespace tessera::inline v0::eigen {

MatrixError offence_in(const char* operation, const detail::Operand& a, std::size_t row,
                       std::size_t first_row) {
  const auto elements = operands::numbers_of(detail::block(a, row, 0, 1, a.columns()));
  for (std::size_t j = 0; j < elements.size(); j++) {
    if (elements[j] >= 0 && std::isfinite(elements[j])) continue;
    const std::string element = a.type == ElementType::float32
                                    ? fmt::format("{}", static_cast<float>(elements[j]))
                                    : fmt::format("{}", elements[j]);
    return MatrixError(
        ErrorCode::invalid_element,
        fmt::format("{}: element ({}, {}) is {}; all must be finite and not negative", operation,
                    first_row + row, j, element));
  }
  return MatrixError(ErrorCode::invalid_element,
                     fmt::format("{}: the sum of row {} overflows", operation, first_row + row));
}

}  // namespace tessera::inline v0::eigen
