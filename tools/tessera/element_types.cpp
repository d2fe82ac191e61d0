// Names of element types on the command line.
#include "element_types.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

struct NamedType {
  ElementType type;
  std::string_view alias;
};
constexpr std::array kTypes = {NamedType{ElementType::float32, "float32"},
                               NamedType{ElementType::float64, "float64"},
                               NamedType{ElementType::float16, "float16"},
                               NamedType{ElementType::bfloat16, "bfloat16"},
                               NamedType{ElementType::int32, "int32"},
                               NamedType{ElementType::int8, "int8"},
                               NamedType{ElementType::complex64, "complex64"},
                               NamedType{ElementType::complex128, "complex128"}};

/// "float, double or half"
std::string any_of(const std::vector<std::string_view>& names) {
  const std::size_t count = names.size();
  if (count == 1) return std::string(names[0]);
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// The types of results of products of `operands`.
std::vector<std::string_view> results_of(ElementType operands) {
  std::vector<std::string_view> names;
  for (const NamedType& named : kTypes) {
    if (is_product({operands, named.type})) names.push_back(to_string(named.type));
  }
  return names;
}

std::optional<ElementType> element_type(std::string_view option, std::string_view wanted) {
  if (wanted.empty()) return std::nullopt;
  for (const auto& [type, alias] : kTypes) {
    if (wanted == to_string(type) || wanted == alias) return type;
  }
  throw UsageError(
      fmt::format("{}: expected {}, got {}", option, any_of(type_names()), in_quotes(wanted)));
}

}  // namespace

TypeRequest requested_types(std::string_view dtype, std::string_view out_dtype) {
  constexpr std::string_view kArrow = "->", kOption = "--dtype";
  const auto arrow = dtype.find(kArrow);
  TypeRequest request{element_type(kOption, trimmed(dtype.substr(0, arrow))),
                      element_type("--out-dtype", out_dtype)};
  if (arrow != dtype.npos) {
    const auto result = element_type(kOption, trimmed(dtype.substr(arrow + kArrow.size())));
    if (!request.operands || !result) {
      throw UsageError(
          fmt::format("--dtype: expected a type or 'half -> float', got {}", in_quotes(dtype)));
    }
    if (request.result.value_or(*result) != *result) {
      throw UsageError(fmt::format("--out-dtype: expected {} with --dtype {}, got {}",
                                   to_string(*result), in_quotes(dtype), in_quotes(out_dtype)));
    }
    request.result = result;
  }
  if (request.operands) product_types(*request.operands, request.result);
  return request;
}

ProductTypes product_types(ElementType operands, std::optional<ElementType> result) {
  const ProductTypes types = result ? ProductTypes(operands, *result) : ProductTypes(operands);
  if (is_product(types)) return types;
  throw UsageError(fmt::format("--out-dtype: expected {} for products of {}, got {}",
                               any_of(results_of(operands)), to_string(operands),
                               in_quotes(to_string(*result))));
}

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  for (const NamedType& named : kTypes) names.push_back(to_string(named.type));
  return names;
}

std::string dtype_help() { return any_of(type_names()) + " (float32, float64, float16 too)"; }

std::string out_dtype_help() {
  return "Element type of the result: float for half and bfloat16. Default: the operands' type, "
         "int32 for int8";
}

}  // namespace tessera::tool
