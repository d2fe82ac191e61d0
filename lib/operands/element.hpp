// Element types: C++ type, name, sizes, and the build option of cl/common/element.cl.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/names.hpp"
#include "tessera/matrix.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::runtime {

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

template <Element T>
constexpr ElementType kElementType = std::same_as<T, float>         ? ElementType::float32
                                     : std::same_as<T, double>      ? ElementType::float64
                                     : std::same_as<T, half>        ? ElementType::float16
                                     : std::same_as<T, std::int8_t> ? ElementType::int8
                                                                    : ElementType::int32;

/// Calls `call` with a zero of the type.
template <class Call>
decltype(auto) with_type(ElementType type, Call&& call) {
  switch (type) {
    case ElementType::float64: return call(double());
    case ElementType::int32: return call(std::int32_t());
    case ElementType::float16: return call(half());
    case ElementType::int8: return call(std::int8_t());
    case ElementType::float32: break;
  }
  return call(float());
}

/// Bytes of an element in global memory; of a product's a and b.
std::size_t element_size(ElementType type);
/// Bytes of an element of a product: 4 for int8.
std::size_t output_size(ElementType type);
/// Bytes of the number that kernels compute with: 4 for half and int8.
std::size_t number_size(ElementType type);
/// "-D ELEMENT=…" as cl/common/element.cl expects it.
std::string element_option(ElementType type);
/// The type that has this name(); nothing if there is none.
std::optional<ElementType> element_type_named(std::string_view name);

}  // namespace tessera::inline v0::operands
