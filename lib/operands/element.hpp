// Names of element types, ops and modes, and the build options that tell kernels their types.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "runtime/names.hpp"
#include "tessera/element_type.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::runtime {

template <>
struct Names<ElementType> {
  static constexpr std::array<std::string_view, 8> kAll = {
      "float", "double", "int32", "half", "int8", "bfloat16", "complex64", "complex128"};
};
template <>
struct Names<Op> {
  static constexpr std::array<std::string_view, 4> kAll = {"none", "transpose",
                                                           "conjugate_transpose", "conjugate"};
};
template <>
struct Names<Accuracy> {
  static constexpr std::array<std::string_view, 2> kAll = {"ieee", "bounded"};
};
template <>
struct Names<Accumulator> {
  static constexpr std::array<std::string_view, 4> kAll = {"automatic", "two_floats", "float64",
                                                           "compensated"};
};

}  // namespace tessera::inline v0::runtime

namespace tessera::inline v0::operands {

/// The type of the numbers that an element consists of: a complex element is two of them.
constexpr ElementType part_type(ElementType type) {
  if (type == ElementType::complex64) return ElementType::float32;
  return type == ElementType::complex128 ? ElementType::float64 : type;
}
inline std::size_t part_size(ElementType type) { return element_size(part_type(type)); }
constexpr std::size_t parts_of(ElementType type) { return is_complex(type) ? 2 : 1; }

/// "-D ELEMENT=… -D OUTPUT=…" as cl/common/element.cl expects it; of complex elements, the types of
/// their parts, and "-D COMPLEX" for cl/common/complex.cl.
std::string element_option(const ProductTypes& types);
/// " -D CONJUGATE_A" and " -D CONJUGATE_B" for complex operands that cl/common/complex.cl
/// conjugates.
std::string conjugate_options(const ProductTypes& types, Op op_a, Op op_b);

}  // namespace tessera::inline v0::operands
