// Build options that tell kernels their element types.
#pragma once

#include <string>

#include "tessera/element_type.hpp"

namespace tessera::inline v0::operands {

/// "-D ELEMENT=… -D OUTPUT=…" as cl/common/element.cl expects it.
std::string element_option(const ProductTypes& types);

}  // namespace tessera::inline v0::operands
