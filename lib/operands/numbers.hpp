// Numbers: elements in host memory and factors of operations, as values of any element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "operands/element.hpp"
#include "runtime/submission.hpp"
#include "tessera/detail/operand.hpp"
#include "tessera/element_type.hpp"
#include "tessera/scalar.hpp"

namespace tessera::inline v0::operands {

constexpr bool is_integer(ElementType type) {
  return type == ElementType::int32 || type == ElementType::int8;
}

// A double holds the elements of every real type, and each part of a complex element. In lists of
// numbers, the real part comes first.

/// Integers are reduced to the type's range; other values are rounded to nearest, as an element or
/// as a part of one.
double rounded(ElementType type, double value);

/// Elements in host memory, or their parts, to read one by one.
class Elements {
 public:
  Elements(ElementType type, const void* data) : type_(type), data_(data) {}
  double operator[](std::size_t index) const;

 private:
  ElementType type_;
  const void* data_;
};

/// Elements as doubles.
std::vector<double> numbers_of(ElementType type, std::span<const std::byte> elements);
/// The elements that doubles are rounded to.
std::vector<std::byte> elements_of(ElementType type, std::span<const double> numbers);

/// The elements of a matrix or a view on a device; waits.
std::vector<double> numbers_of(const detail::Operand& of);
/// Writes the elements that numbers are rounded to.
void upload(const detail::Operand& to, std::span<const double> numbers);
/// A new matrix with these elements.
detail::Operand matrix_of(const Stream& stream, ElementType type, std::size_t rows,
                          std::size_t columns, std::span<const double> numbers);

/// A factor rounded to the type in which an operation sums. `name` is for the ArgumentError that a
/// real type throws for an imaginary part, and an integer type for any other number.
Scalar factor_of(const char* operation, const char* name, const Scalar& factor, ElementType sum);

/// A number of that type as a kernel's argument.
runtime::Value value_of(const Scalar& number, ElementType type);

}  // namespace tessera::inline v0::operands
