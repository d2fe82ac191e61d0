// Every kernel: one product by each variant that runs on the device.
#pragma once

#include "commands/product.hpp"

namespace tessera::tool {

/// In a table beside plain loops on the host. Returns an exit status.
int run_every_kernel(const Operands& operands, const MultiplyCommand& command);

}  // namespace tessera::tool
