// Names of element types for the names of tests, which are identifiers.
#pragma once

#include <string>
#include <tessera/element_type.hpp>

namespace tessera::test {

/// "half", or "half_to_float" if the results are of another type than usual.
inline std::string type_name(const ProductTypes& types) {
  std::string text(to_string(types.a));
  if (types != ProductTypes(types.a)) text += "_to_" + std::string(to_string(types.c));
  return text;
}

}  // namespace tessera::test
