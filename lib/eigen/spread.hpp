// Spread: how the rows of a matrix are spread over ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "eigen/local_pass.hpp"
#include "tessera/distributed.hpp"

namespace tessera::inline v0::eigen {

struct Spread {
  std::vector<std::size_t> lengths;  ///< rows of each rank
  RowRange own;                      ///< this rank's rows
};

/// Collective. Throws RemoteError if rows or options are invalid on one rank. Throws MatrixError or
/// ArgumentError, on all ranks, if the rows are no square matrix or the options differ.
Spread spread_of(const char* operation, Communicator& ranks, const detail::Operand& rows,
                 const DistributedOptions& options);

}  // namespace tessera::inline v0::eigen
