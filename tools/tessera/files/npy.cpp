// Reading the elements of .npy files.
#include "files/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "usage_error.hpp"

namespace tessera::tool {
namespace {

template <class Number>
Number loaded(const char* from, bool swap) {
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), from, bytes.size());
  if (swap) std::ranges::reverse(bytes);
  return std::bit_cast<Number>(bytes);
}

/// Numbers of an element of the file: complex ones have two parts.
std::size_t parts_in(const NpyHeader& header) { return header.kind == 'c' ? 2 : 1; }

/// Calls function with a value of the type of the file's elements, or of their parts.
template <class Function>
void with_source(const NpyHeader& header, Function&& function) {
  const std::size_t size = header.item_size / parts_in(header);
  if (header.kind == 'V') {
    function(bfloat16());
  } else if (header.kind == 'f' || header.kind == 'c') {
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
    return exact ? 0 : unit_roundoff(ElementType::float64);
  } else {
    return 0;
  }
}

/// A stored number as a double.
template <class Number>
double as_double(Number value) {
  if constexpr (std::is_arithmetic_v<Number>) {
    return static_cast<double>(value);
  } else {
    return static_cast<float>(value);
  }
}

bool is_foreign(const NpyHeader& header) {
  return header.big_endian != (std::endian::native == std::endian::big);
}

/// The elements from `first` on, in row-major order, as doubles, each with so many parts. Returns
/// their largest `rounding`.
double load(const char* data, const NpyHeader& header, std::size_t first, std::size_t parts,
            std::span<double> numbers) {
  double rounding = 0;
  const bool swap = header.item_size > 1 && is_foreign(header);
  with_source(header, [&](auto zero) {
    using Number = decltype(zero);
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const std::size_t part = i % parts;
      if (part >= parts_in(header)) {
        numbers[i] = 0;  // the imaginary part of a real element
        continue;
      }
      const char* const from = data + header.place(first + i / parts) * header.item_size;
      const auto value = loaded<Number>(from + part * sizeof(Number), swap);
      numbers[i] = as_double(value);
      rounding = std::max(rounding, rounding_to_double_of(value));
    }
  });
  return rounding;
}

AnyMatrix loaded_matrix(const char* data, const NpyHeader& header, ElementType type,
                        const std::string& name) {
  AnyMatrix matrix(type, {header.rows, header.columns, header.stack});
  const std::size_t count = matrix.shape.count(), parts = parts_of(type),
                    at_once = std::min<std::size_t>(count, 4096);
  std::vector<double> numbers(at_once * parts);
  double to_double = 0, to_element = 0;
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::span some(numbers.data(), std::min(at_once, count - first) * parts);
    to_double = std::max(to_double, load(data, header, first, parts, some));
    std::byte* const to = matrix.elements.data() + first * element_size(type);
    to_element = std::max(to_element, store(some, type, to, [&](std::size_t i) {
                            const std::size_t index = first + i / parts;
                            return place_in(name, index / header.columns, index % header.columns);
                          }));
  }
  matrix.rounding = rounded_again(to_double, to_element);
  return matrix;
}

}  // namespace

bool is_stored_as(const NpyHeader& header, ElementType type) {
  const bool is_native = header.item_size == 1 || !is_foreign(header);
  return header.kind == npy_kind(type) && header.item_size == element_size(type) && is_native &&
         !header.fortran_order && header.data_begin % header.item_size == 0;
}

AnyMatrix read_npy(std::string content, const NpyHeader& header, ElementType type,
                   const std::string& name) {
  require_parts(parts_in(header), type, name);
  if (!is_stored_as(header, type))
    return loaded_matrix(content.data() + header.data_begin, header, type, name);
  const auto memory = std::make_shared<std::string>(std::move(content));
  return {type,
          {header.rows, header.columns, header.stack},
          memory,
          memory->data() + header.data_begin};
}

}  // namespace tessera::tool
