// Build options and numbers of element types.
#include "operands/element.hpp"

#include <fmt/format.h>

#include <array>

#include "tessera/problem.hpp"

namespace tessera::inline v0 {

std::string operands::element_option(const ProductTypes& types) {
  return fmt::format("-D ELEMENT={} -D OUTPUT={}", static_cast<int>(types.a),
                     static_cast<int>(types.c));
}

std::string_view name(Accuracy accuracy) {
  return accuracy == Accuracy::bounded ? "bounded" : "ieee";
}

std::string_view name(Accumulator accumulator) {
  constexpr std::array<std::string_view, 4> kNames = {"automatic", "two_floats", "float64",
                                                      "compensated"};
  return kNames.at(static_cast<std::size_t>(accumulator));
}

}  // namespace tessera::inline v0
