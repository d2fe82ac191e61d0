// A product of operands in host memory, which need not fit on a device.
#pragma once

#include "commands/product.hpp"

namespace tessera::tool {

/// Returns why the command needs its operands on one device; empty if it does not.
std::string why_on_device(const MultiplyCommand& command, const ProductShape& shape);

/// Computes, checks, writes and prints the product. Returns the exit status.
int run_on_host(const Operands& operands, const MultiplyCommand& command);

}  // namespace tessera::tool
