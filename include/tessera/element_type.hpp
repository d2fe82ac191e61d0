// Element types: the numbers that matrices hold, as C++ types and as values.
#pragma once

#include <compare>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <tessera/bfloat16.hpp>
#include <tessera/export.hpp>
#include <tessera/half.hpp>

namespace tessera::inline v0 {

/// The types of elements. `float16` and `bfloat16` are stored in 16 bits, and multiplied and summed
/// in float. int32 arithmetic is modulo 2^32. int8 is a type of operands: products of int8 are
/// int32.
///
/// An element of complex64 is two floats, and one of complex128 two doubles, the real part first.
enum class ElementType {
  float32,
  float64,
  int32,
  float16,
  int8,
  bfloat16,
  complex64,
  complex128,
};

/// "float", "double", "int32", "half", "int8", "bfloat16", "complex64" or "complex128".
TESSERA_API std::string_view to_string(ElementType type);

/// Bytes of an element in memory.
TESSERA_API std::size_t element_size(ElementType type);

namespace detail {

template <class T>
inline constexpr std::nullptr_t kTypeOf = nullptr;
template <>
inline constexpr ElementType kTypeOf<float> = ElementType::float32;
template <>
inline constexpr ElementType kTypeOf<double> = ElementType::float64;
template <>
inline constexpr ElementType kTypeOf<std::int32_t> = ElementType::int32;
template <>
inline constexpr ElementType kTypeOf<half> = ElementType::float16;
template <>
inline constexpr ElementType kTypeOf<std::int8_t> = ElementType::int8;
template <>
inline constexpr ElementType kTypeOf<bfloat16> = ElementType::bfloat16;
template <>
inline constexpr ElementType kTypeOf<std::complex<float>> = ElementType::complex64;
template <>
inline constexpr ElementType kTypeOf<std::complex<double>> = ElementType::complex128;

}  // namespace detail

/// The C++ types of elements.
template <class T>
concept Element = !std::is_null_pointer_v<std::remove_const_t<decltype(detail::kTypeOf<T>)>>;

/// The ElementType of a C++ type: kElementType<float> is ElementType::float32.
template <Element T>
inline constexpr ElementType kElementType = detail::kTypeOf<T>;

constexpr bool is_complex(ElementType type) {
  return type == ElementType::complex64 || type == ElementType::complex128;
}

/// The element types of a product c = a * b, and the type in which it is summed.
struct ProductTypes {
  ElementType a, b, c, sum;

  /// Products of `operands`, whose results have the operands' type; int32 for int8.
  constexpr ProductTypes(ElementType operands = ElementType::float32)  // NOLINT: converts
      : ProductTypes(operands, operands == ElementType::int8 ? ElementType::int32 : operands) {}
  /// Products of `operands` with results of another type.
  constexpr ProductTypes(ElementType operands, ElementType result)
      : a(operands), b(operands), c(result), sum(sum_of(operands)) {}

  friend constexpr bool operator==(const ProductTypes&, const ProductTypes&) = default;
  friend constexpr auto operator<=>(const ProductTypes&, const ProductTypes&) = default;

 private:
  static constexpr ElementType sum_of(ElementType operands) {
    if (operands == ElementType::int8) return ElementType::int32;
    const bool is_short = operands == ElementType::float16 || operands == ElementType::bfloat16;
    return is_short ? ElementType::float32 : operands;
  }
};

/// Whether there are products of these types: results have the operands' type, float too for half
/// and bfloat16, and int32 for int8.
constexpr bool is_product(const ProductTypes& types) {
  const ProductTypes usual(types.a);
  if (types.b != types.a || types.sum != usual.sum) return false;
  return types.c == usual.c || (types.c == types.sum && types.sum == ElementType::float32);
}

/// "half", or "half -> float" if the results are of another type than usual.
TESSERA_API std::string to_string(const ProductTypes& types);

/// The operand is read as it is stored, transposed, transposed with conjugated elements, or with
/// conjugated elements.
enum class Op { none, transpose, conjugate_transpose, conjugate };

/// "none", "transpose", "conjugate_transpose" or "conjugate".
TESSERA_API std::string_view to_string(Op op);

constexpr bool is_transposed(Op op) { return op == Op::transpose || op == Op::conjugate_transpose; }
constexpr bool is_conjugated(Op op) { return op == Op::conjugate || op == Op::conjugate_transpose; }
/// The Op that transposes, conjugates, does both or neither.
constexpr Op op_if(bool transposed, bool conjugated = false) {
  if (transposed) return conjugated ? Op::conjugate_transpose : Op::transpose;
  return conjugated ? Op::conjugate : Op::none;
}
/// The Op of a view by `second` of a view by `first`, of elements of a type: the conjugates of real
/// elements are the elements.
constexpr Op composed(ElementType type, Op first, Op second) {
  return op_if(is_transposed(first) != is_transposed(second),
               is_complex(type) && is_conjugated(first) != is_conjugated(second));
}

}  // namespace tessera::inline v0
