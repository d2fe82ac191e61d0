// Every kernel: one product by each variant that runs on the device.
#pragma once

#include "commands/product.hpp"

namespace tessera::tool {

/// Prints a table of all kernels and of plain loops on the host. Returns an exit status.
template <Element T>
int run_every_kernel(const Operands<T>& operands, const MultiplyCommand& command);

}  // namespace tessera::tool
