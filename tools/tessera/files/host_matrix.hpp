// Host matrix: what a file or a generator gives, converted to the requested type.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>
#include <type_traits>
#include <vector>

#include "usage_error.hpp"

namespace tessera::tool {

template <Element T>
struct HostMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<T> elements;  // row-major
};

/// Why a T cannot hold `value`; null where it can. Rounding is no reason.
template <Element T>
const char* misfit(double value) {
  if constexpr (std::integral<T>) {
    constexpr bool is_int8 = std::is_same_v<T, std::int8_t>;
    if (!(value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max()))
      return is_int8 ? "does not fit in int8" : "does not fit in int32";
    if (value == std::trunc(value)) return nullptr;
    return is_int8 ? "is not an integer, and the type is int8"
                   : "is not an integer, and the type is int32";
  } else if constexpr (std::is_same_v<T, double>) {
    return nullptr;
  } else {
    const auto rounded = static_cast<float>(static_cast<T>(static_cast<float>(value)));
    if (!std::isfinite(value) || std::isfinite(rounded)) return nullptr;
    return std::is_same_v<T, half> ? "does not fit in half" : "does not fit in float";
  }
}

/// `value` as a T. Throws UsageError, which begins with what `where` returns, if T cannot hold it.
template <Element T, class Where>
T converted(double value, Where&& where) {
  if (const char* why = misfit<T>(value))
    throw UsageError(fmt::format("{}: {} {}", where(), value, why));
  if constexpr (std::is_same_v<T, half>) {
    return static_cast<half>(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

/// "name: row 3, column 4".
inline std::string place_in(const std::string& name, std::size_t row, std::size_t column) {
  return fmt::format("{}: row {}, column {}", name, row, column);
}

/// A matrix of doubles as one of T; `name` is where it came from.
template <Element T>
HostMatrix<T> converted(const HostMatrix<double>& matrix, const std::string& name) {
  HostMatrix<T> result{matrix.rows, matrix.columns, std::vector<T>(matrix.elements.size())};
  for (std::size_t i = 0; i < matrix.elements.size(); i++) {
    result.elements[i] = converted<T>(
        matrix.elements[i], [&] { return place_in(name, i / matrix.columns, i % matrix.columns); });
  }
  return result;
}

/// rows * columns; throws UsageError, which begins with `where`, if they are negative or overflow.
std::size_t checked_size(long long rows, long long columns, std::size_t element_size,
                         const std::string& where);

}  // namespace tessera::tool
