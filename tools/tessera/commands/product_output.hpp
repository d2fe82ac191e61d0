// Product output: what products from a device and from host memory print alike.
#pragma once

#include <cstdio>
#include <optional>

#include "commands/product.hpp"

namespace tessera::tool {

/// Prints a small matrix; nothing for a larger one.
void print_elements(const AnyMatrix& matrix);
/// Prints a line for each type of the operands whose rounding is more than a double's: "elements of
/// a.csv and hilbert:3 are rounded to float".
void print_rounded(std::FILE* out, const Operands& operands, const MultiplyCommand& command);
void print_verification(std::FILE* out, const std::optional<Verification>& verified,
                        const Operands& operands);

}  // namespace tessera::tool
