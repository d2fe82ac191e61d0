// The time of a product by the kernels that read their operands by tensor maps.
#pragma once

#include "multiply/gpu/candidate.hpp"

namespace tessera::inline v0::multiplication {

/// The quickest of them, with its tiles; its time is infinite if the device can run none.
Candidate by_tensor_maps(const DeviceCapabilities& device, const Problem& problem);

}  // namespace tessera::inline v0::multiplication
