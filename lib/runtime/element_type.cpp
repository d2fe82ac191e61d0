// The table of element types.
#include "tessera/element_type.hpp"

#include <fmt/format.h>

#include <array>

namespace tessera::inline v0 {
namespace {

struct Row {
  std::string_view name;
  std::size_t size;
};

// In the order of ElementType.
constexpr std::array<Row, 6> kRows = {
    {{"float", 4}, {"double", 8}, {"int32", 4}, {"half", 2}, {"int8", 1}, {"bfloat16", 2}}};

const Row& row(ElementType type) { return kRows.at(static_cast<std::size_t>(type)); }

}  // namespace

std::string_view name(ElementType type) { return row(type).name; }

std::size_t element_size(ElementType type) { return row(type).size; }

std::string name(const ProductTypes& types) {
  if (types == ProductTypes(types.a)) return std::string(name(types.a));
  return fmt::format("{} -> {}", name(types.a), name(types.c));
}

std::string_view name(Op op) {
  constexpr std::array<std::string_view, 3> kNames = {"none", "transpose", "conjugate_transpose"};
  return kNames.at(static_cast<std::size_t>(op));
}

}  // namespace tessera::inline v0
