// Reading the elements of .npy files.
#include "files/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

namespace tessera::tool {
namespace {

template <class Number>
Number loaded(const char* from, bool swap) {
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), from, bytes.size());
  if (swap) std::ranges::reverse(bytes);
  return std::bit_cast<Number>(bytes);
}

/// Calls function with a value of the type of the file's elements.
template <class Function>
void with_source(const NpyHeader& header, Function&& function) {
  const std::size_t size = header.item_size;
  if (header.kind == 'f') {
    size == 2 ? function(half()) : size == 4 ? function(float()) : function(double());
  } else if (header.kind == 'i') {
    size == 1   ? function(std::int8_t())
    : size == 2 ? function(std::int16_t())
    : size == 4 ? function(std::int32_t())
                : function(std::int64_t());
  } else {
    size == 1   ? function(std::uint8_t())
    : size == 2 ? function(std::uint16_t())
    : size == 4 ? function(std::uint32_t())
                : function(std::uint64_t());
  }
}

/// The `rounding` of an integer, as stored, that became a double. Only 64 bits may be too many.
template <class Number>
double rounding_to_double_of(Number value) {
  if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8) {
    const auto bits = static_cast<std::uint64_t>(value);
    const bool is_negative = std::is_signed_v<Number> && bits >> 63 != 0;
    const std::uint64_t size = is_negative ? std::uint64_t(0) - bits : bits;
    const bool exact = size == 0 || std::bit_width(size >> std::countr_zero(size)) <= 53;
    return exact ? 0 : kUnitRoundoff<double>;
  } else {
    return 0;
  }
}

/// A stored number as a double.
template <class Number>
double as_double(Number value) {
  if constexpr (std::is_same_v<Number, half>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
}

}  // namespace

template <Element T>
HostMatrix<T> read_npy(std::string_view content, const std::string& name) {
  const NpyHeader header = npy_header(content, name);
  HostMatrix<T> matrix{header.rows, header.columns, std::vector<T>(header.rows * header.columns),
                       header.stack};
  const char* data = content.data() + header.data_begin;
  const bool swap = header.big_endian != (std::endian::native == std::endian::big);
  if (matrix.elements.empty()) return matrix;  // one of the sizes may be huge
  double to_double = 0, to_element = 0;
  with_source(header, [&](auto zero) {
    using Number = decltype(zero);
    for (std::size_t i = 0; i < header.rows; i++) {
      for (std::size_t j = 0; j < header.columns; j++) {
        const auto value = loaded<Number>(data + header.place(i, j) * sizeof(Number), swap);
        T& element = matrix.elements[i * header.columns + j];
        if constexpr (std::is_same_v<Number, T>) {
          element = value;
        } else {
          const double number = as_double(value);
          element = converted<T>(number, [&] { return place_in(name, i, j); });
          to_double = std::max(to_double, rounding_to_double_of(value));
          to_element = std::max(to_element, rounding_of(number, element));
        }
      }
    }
  });
  matrix.rounding = rounded_again(to_double, to_element);
  return matrix;
}

template HostMatrix<float> read_npy<float>(std::string_view, const std::string&);
template HostMatrix<double> read_npy<double>(std::string_view, const std::string&);
template HostMatrix<std::int32_t> read_npy<std::int32_t>(std::string_view, const std::string&);
template HostMatrix<half> read_npy<half>(std::string_view, const std::string&);
template HostMatrix<std::int8_t> read_npy<std::int8_t>(std::string_view, const std::string&);

}  // namespace tessera::tool
