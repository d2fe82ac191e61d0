// Names of types, ops and modes; build options.
#include "operands/element.hpp"

#include <fmt/format.h>

namespace tessera::inline v0 {

std::string operands::element_option(const ProductTypes& types) {
  return fmt::format("-D ELEMENT={} -D OUTPUT={}{}", static_cast<int>(part_type(types.a)),
                     static_cast<int>(part_type(types.c)),
                     is_complex(types.a) ? " -D COMPLEX" : "");
}

std::string operands::conjugate_options(const ProductTypes& types, Op op_a, Op op_b) {
  if (!is_complex(types.a)) return {};
  return fmt::format("{}{}", is_conjugated(op_a) ? " -D CONJUGATE_A" : "",
                     is_conjugated(op_b) ? " -D CONJUGATE_B" : "");
}

std::string_view to_string(ElementType type) { return runtime::name_of(type); }

std::string to_string(const ProductTypes& types) {
  if (types == ProductTypes(types.a)) return std::string(to_string(types.a));
  return fmt::format("{} -> {}", to_string(types.a), to_string(types.c));
}

std::string_view to_string(Op op) { return runtime::name_of(op); }

std::string_view to_string(Accuracy accuracy) { return runtime::name_of(accuracy); }

std::string_view to_string(Accumulator accumulator) { return runtime::name_of(accumulator); }

}  // namespace tessera::inline v0
