// Element types: by name, and as types of C++.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>
#include <vector>

namespace tessera::tool {

/// The type that --dtype names, also as NumPy does: float32 is float. Throws UsageError.
ElementType element_type(std::string_view name);
/// The names that are printed.
std::vector<std::string> element_type_names();

/// Calls `function` with a value of the C++ type.
template <class Function>
auto with_type(ElementType type, Function&& function) {
  switch (type) {
    case ElementType::float64: return function(double());
    case ElementType::int32: return function(std::int32_t());
    case ElementType::float16: return function(half());
    case ElementType::int8: return function(std::int8_t());
    case ElementType::float32: break;
  }
  return function(float());
}

/// The other way: the name of the C++ type.
template <Element T>
constexpr ElementType element_type_of() {
  if constexpr (std::same_as<T, double>) return ElementType::float64;
  if constexpr (std::same_as<T, std::int32_t>) return ElementType::int32;
  if constexpr (std::same_as<T, half>) return ElementType::float16;
  if constexpr (std::same_as<T, std::int8_t>) return ElementType::int8;
  return ElementType::float32;
}

}  // namespace tessera::tool
