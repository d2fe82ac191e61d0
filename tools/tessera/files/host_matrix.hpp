// Host matrix: what a file or a generator gives, converted to the requested type, and how far its
// elements are from those that were named.
#pragma once

#include <fmt/format.h>

#include <algorithm>
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

/// Rows and columns, and of a stack the number of its matrices, as HostMatrix has them.
struct Shape {
  std::size_t rows = 0, columns = 0, stack = 0;
};

template <Element T>
struct HostMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<T> elements = {};  // row-major
  std::size_t stack = 0;  // matrices of rows / stack rows, one below the other; 0: one, no stack
  /// The relative rounding of the elements: a number in the source differs from its element e by at
  /// most |e| times this. Infinite if no such factor is known.
  double rounding = 0;
};

/// The unit roundoff of a type and its smallest normal number; no integer is rounded.
template <Element T>
constexpr double kUnitRoundoff = std::is_same_v<T, double>  ? 0x1p-53
                                 : std::is_same_v<T, float> ? 0x1p-24
                                 : std::is_same_v<T, half>  ? 0x1.002p-11  // by way of float
                                                            : 0;
template <Element T>
constexpr double kSmallestNormal = std::is_same_v<T, double>  ? 0x1p-1022
                                   : std::is_same_v<T, float> ? 0x1p-126
                                                              : 0x1p-14;

/// An element as a double, which holds each of them.
template <Element T>
double widened(T value) {
  if constexpr (std::is_same_v<T, half>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
}

/// The `rounding` of `stored`, the nearest T to `value`.
template <Element T>
double rounding_of(double value, T stored) {
  if (widened(stored) == value || std::isnan(value)) return 0;
  constexpr double kSmallest = kSmallestNormal<T>, kRounding = kUnitRoundoff<T>;
  return std::fabs(value) >= kSmallest ? kRounding : std::numeric_limits<double>::infinity();
}

/// The `rounding` of a double that is the nearest to another number.
inline double rounding_to_double(double nearest) {
  constexpr double kSmallest = kSmallestNormal<double>, kRounding = kUnitRoundoff<double>;
  return std::fabs(nearest) > kSmallest ? kRounding : std::numeric_limits<double>::infinity();
}

/// The `rounding` of numbers that were rounded twice.
inline double rounded_again(double first, double second) {
  const double sum = first + second + first * second;
  const bool is_sum = first == 0 || second == 0;
  return is_sum ? sum : std::nextafter(sum, std::numeric_limits<double>::infinity());
}

/// Returns why a T cannot hold `value`; null if it can. Rounding is no reason.
template <Element T>
const char* misfit(double value) {
  if constexpr (std::integral<T>) {
    constexpr bool is_int8 = std::is_same_v<T, std::int8_t>;
    if (!(value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max())) {
      return is_int8 ? "does not fit in int8 (--dtype int32 or double)"
                     : "does not fit in int32 (--dtype double)";
    }
    if (value == std::trunc(value)) return nullptr;
    return is_int8 ? "is not an integer, and the type is int8 (--dtype double)"
                   : "is not an integer, and the type is int32 (--dtype double)";
  } else if constexpr (std::is_same_v<T, double>) {
    return nullptr;
  } else {
    const auto rounded = static_cast<float>(static_cast<T>(static_cast<float>(value)));
    if (!std::isfinite(value) || std::isfinite(rounded)) return nullptr;
    return std::is_same_v<T, half> ? "does not fit in half" : "does not fit in float";
  }
}

/// Returns `value` as a T. Throws UsageError if T cannot hold it; the message begins with the
/// result of `where`.
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

/// "name: row 4, column 5" for the indices 3 and 4: what people read counts from 1.
inline std::string place_in(const std::string& name, std::size_t row, std::size_t column) {
  return fmt::format("{}: row {}, column {}", name, row + 1, column + 1);
}

/// A matrix of doubles as one of T; `name` is where it came from.
template <Element T>
HostMatrix<T> converted(HostMatrix<double> matrix, const std::string& name) {
  if constexpr (std::is_same_v<T, double>) {
    return matrix;
  } else {
    HostMatrix<T> result{matrix.rows, matrix.columns, std::vector<T>(matrix.elements.size()),
                         matrix.stack};
    double rounding = 0;
    for (std::size_t i = 0; i < matrix.elements.size(); i++) {
      const double value = matrix.elements[i];
      result.elements[i] = converted<T>(
          value, [&] { return place_in(name, i / matrix.columns, i % matrix.columns); });
      rounding = std::max(rounding, rounding_of(value, result.elements[i]));
    }
    result.rounding = rounded_again(matrix.rounding, rounding);
    return result;
  }
}

/// rows * columns; throws UsageError, which begins with `where`, if they are negative, overflow or
/// are more than this machine's memory holds.
std::size_t checked_size(long long rows, long long columns, std::size_t element_size,
                         const std::string& where);

/// The bytes of this machine's memory.
double host_memory();

}  // namespace tessera::tool
