// Why kernels whose operands all have one type do not run for int8.
#pragma once

#include <string>

#include "kernels/variant.hpp"

namespace tessera::inline v0::multiplication {

/// Empty for other types.
inline std::string refuse_int8(const kernels::Target& target) {
  return target.type == ElementType::int8
             ? "its operands are of one type, and products of int8 are int32"
             : "";
}

}  // namespace tessera::inline v0::multiplication
