// Any matrix: a matrix in host memory whose element type is known at run time, and how far its
// elements are from the numbers that a source names.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tessera/element_type.hpp>
#include <utility>
#include <vector>

namespace tessera::tool {

/// Rows and columns. A stack of matrices, one below the other, has `stack` > 0 of them, each with
/// rows / stack rows.
struct Shape {
  std::size_t rows = 0, columns = 0, stack = 0;

  std::size_t count() const { return rows * columns; }
};

/// A matrix as text and generators define it.
struct Numbers {
  std::size_t rows = 0, columns = 0;
  std::vector<double> elements = {};  // row-major; of complex ones, both parts
  double rounding = 0;                // as in AnyMatrix
  std::size_t parts = 1;              // of an element
};

struct AnyMatrix {
  ElementType type = ElementType::float64;
  Shape shape = {};
  std::shared_ptr<void> memory = {};   // owns the elements
  std::span<std::byte> elements = {};  // row-major
  /// Each element e, or part of one, represents a number of the source, at most |e| times this away
  /// from e. Infinite if no such factor is known.
  double rounding = 0;

  AnyMatrix() = default;
  /// All elements are 0.
  AnyMatrix(ElementType type, const Shape& shape);
  /// Elements in `memory`, which keeps them alive.
  AnyMatrix(ElementType type, const Shape& shape, std::shared_ptr<void> memory, void* elements);

  /// An element, or, of a complex matrix, a part of one: element i has the parts 2 i and 2 i + 1. A
  /// double holds them of every type.
  double operator[](std::size_t index) const;
};

/// Numbers of an element: complex ones have two parts.
constexpr std::size_t parts_of(ElementType type) { return is_complex(type) ? 2 : 1; }

constexpr bool is_integer(ElementType type) {
  return type == ElementType::int32 || type == ElementType::int8;
}

/// The unit roundoff of a type; no integer is rounded.
constexpr double unit_roundoff(ElementType type) {
  switch (type) {
    case ElementType::complex128:
    case ElementType::float64: return 0x1p-53;
    case ElementType::complex64:
    case ElementType::float32: return 0x1p-24;
    case ElementType::float16: return 0x1.002p-11;   // by way of float
    case ElementType::bfloat16: return 0x1.0002p-8;  // by way of float
    case ElementType::int32:
    case ElementType::int8: break;
  }
  return 0;
}

/// The nearest element of a type, for a number that its range holds.
double nearest(ElementType type, double number);

/// The `rounding` of a double that is the nearest to another number.
double rounding_to_double(double nearest);
/// The `rounding` of a number that was rounded twice.
double rounded_again(double first, double second);

/// Throws UsageError, which begins with the text of `where`, if the type cannot hold the number.
/// Rounding is allowed.
void require_fit(ElementType type, double number, const std::function<std::string()>& where);

/// Stores numbers as elements, or as parts of complex ones, at `to`, which may be where the numbers
/// are. Returns the largest `rounding`. Throws UsageError, which begins with `where` of the
/// number's index, for a number that the type cannot hold.
double store(std::span<const double> numbers, ElementType type, std::byte* to,
             const std::function<std::string(std::size_t)>& where);

/// Throws UsageError for elements of more parts than a type has; `name` is their source.
void require_parts(std::size_t parts, ElementType type, const std::string& name);

/// Numbers as elements, in the same memory; `name` is their source. Throws UsageError for a number
/// that the type cannot hold.
AnyMatrix converted(Numbers numbers, ElementType type, const std::string& name);

/// The element, or the part of one, in as few digits as give it back.
std::string text_of_element(ElementType type, double element);

/// "name: row 4, column 5" for the indices 3 and 4: people count from 1.
inline std::string place_in(const std::string& name, std::size_t row, std::size_t column) {
  return fmt::format("{}: row {}, column {}", name, row + 1, column + 1);
}

/// rows * columns; throws UsageError, which begins with `where`, if they are negative, overflow or
/// exceed the memory of this machine.
std::size_t checked_size(long long rows, long long columns, std::size_t element_size,
                         const std::string& where);

}  // namespace tessera::tool
