// How long a product takes by sliced_k.
#pragma once

#include "multiply/gpu/candidate.hpp"

namespace tessera::inline v0::multiplication {

/// With the tiles that take the least time of those that fit into local memory; an endless time if
/// none does.
Candidate by_sliced_k(const DeviceCapabilities& device, const Problem& problem);

}  // namespace tessera::inline v0::multiplication
