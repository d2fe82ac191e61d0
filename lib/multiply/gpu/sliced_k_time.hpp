// The time of a product by sliced_k.
#pragma once

#include "multiply/gpu/candidate.hpp"

namespace tessera::inline v0::multiplication {

/// The candidate with the fastest tiles that fit into local memory; its time is infinite if none
/// fit.
Candidate by_sliced_k(const DeviceCapabilities& device, const Problem& problem);

}  // namespace tessera::inline v0::multiplication
