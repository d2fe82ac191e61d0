// The table of element types.
#include "operands/element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tessera::inline v0 {
namespace operands {
namespace {

struct Row {
  std::string_view name;
  std::size_t element_size, output_size, number_size;
};

// In the order of ElementType, whose values kernels get as ELEMENT.
constexpr std::array<Row, 5> kRows = {{{"float", 4, 4, 4},
                                       {"double", 8, 8, 8},
                                       {"int32", 4, 4, 4},
                                       {"half", 2, 2, 4},
                                       {"int8", 1, 4, 4}}};

const Row& row(ElementType type) { return kRows.at(static_cast<std::size_t>(type)); }

}  // namespace

std::size_t element_size(ElementType type) { return row(type).element_size; }
std::size_t output_size(ElementType type) { return row(type).output_size; }
std::size_t number_size(ElementType type) { return row(type).number_size; }
std::string element_option(ElementType type) {
  return fmt::format("-D ELEMENT={}", static_cast<int>(type));
}

std::optional<ElementType> element_type_named(std::string_view name) {
  const auto found = std::ranges::find(kRows, name, &Row::name);
  if (found == kRows.end()) return std::nullopt;
  return static_cast<ElementType>(found - kRows.begin());
}

}  // namespace operands

std::string_view name(ElementType type) { return operands::row(type).name; }

std::string_view name(Accuracy accuracy) { return runtime::name_of(accuracy); }

std::string_view name(Accumulator accumulator) { return runtime::name_of(accumulator); }

}  // namespace tessera::inline v0
