// Names of element types.
#include "element_types.hpp"

#include <fmt/format.h>

#include <array>

#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

struct NamedType {
  ElementType type;
  std::string_view alias;
};
constexpr std::array kTypes = {
    NamedType{ElementType::float32, "float32"}, NamedType{ElementType::float64, "float64"},
    NamedType{ElementType::float16, "float16"}, NamedType{ElementType::int32, "int32"},
    NamedType{ElementType::int8, "int8"}};

}  // namespace

std::vector<std::string> element_type_names() {
  std::vector<std::string> names;
  for (const NamedType& type : kTypes) names.emplace_back(name(type.type));
  return names;
}

ElementType element_type(std::string_view wanted) {
  for (const auto& [type, alias] : kTypes) {
    if (wanted == name(type) || wanted == alias) return type;
  }
  throw UsageError(fmt::format("no type {}; there are: {}", in_quotes(wanted),
                               fmt::join(element_type_names(), ", ")));
}

}  // namespace tessera::tool
