// Every kernel: one product by each variant that runs on the device.
#pragma once

#include "commands/product.hpp"

namespace tessera::tool {

/// Compares every kernel with plain loops on the host, in a table or as JSON. Returns an exit
/// status.
int run_every_kernel(const Operands& operands, const MultiplyCommand& command);

}  // namespace tessera::tool
