// The transpose of a matrix, for its left eigenvectors.
#pragma once

#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// A copy on the device, on the stream of the options, or the matrix's, after their events.
detail::Operand transposed(const detail::Operand& a, const EigenOptions& options);

}  // namespace tessera::inline v0::eigen
