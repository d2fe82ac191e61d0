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
  static constexpr std::array<std::string_view, 6> kAll = {"float", "double", "int32",
                                                           "half",  "int8",   "bfloat16"};
};
template <>
struct Names<Op> {
  static constexpr std::array<std::string_view, 3> kAll = {"none", "transpose",
                                                           "conjugate_transpose"};
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

/// "-D ELEMENT=… -D OUTPUT=…" as cl/common/element.cl expects it.
std::string element_option(const ProductTypes& types);

}  // namespace tessera::inline v0::operands
