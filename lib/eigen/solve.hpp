// Solve: from a checked matrix to its eigenpair with a certificate, by rounds on the device.
#pragma once

#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Waits. Throws BadRow.
detail::EigenPairOperand solve(const detail::Operand& a, const EigenOptions& options);

}  // namespace tessera::inline v0::eigen
