// Element types: by name, and as types of C++.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/element_type.hpp>
#include <vector>

namespace tessera::tool {

/// The types that --dtype and --out-dtype name; empty for the default.
struct TypeRequest {
  std::optional<ElementType> operands, result;
};

/// `dtype` may also be what tables print, "half -> float". Types are known by NumPy's names, too:
/// float32 is float. Throws UsageError for a name that is unknown.
TypeRequest requested_types(std::string_view dtype, std::string_view out_dtype);

/// Throws UsageError if products of `operands` have no such results.
ProductTypes product_types(ElementType operands, std::optional<ElementType> result);

std::vector<std::string_view> type_names();

/// The types in the help: "float, double, half, bfloat16, int32, int8, complex64 or complex128
/// (float32, float64, float16 too)".
std::string dtype_help();
/// The help of --out-dtype.
std::string out_dtype_help();

/// Calls `function` with a value of the C++ type, or of a complex type's parts.
template <class Function>
auto with_type(ElementType type, Function&& function) {
  switch (type) {
    case ElementType::float64:
    case ElementType::complex128: return function(double());
    case ElementType::int32: return function(std::int32_t());
    case ElementType::float16: return function(half());
    case ElementType::int8: return function(std::int8_t());
    case ElementType::bfloat16: return function(bfloat16());
    case ElementType::float32:
    case ElementType::complex64: break;
  }
  return function(float());
}

}  // namespace tessera::tool
