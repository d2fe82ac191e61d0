// The time of a product by the kernels that read their operands by tensor maps, and by those that
// multiply as they do by warps.
#pragma once

#include "multiply/gpu/candidate.hpp"

namespace tessera::inline v0::multiplication {

/// The quickest of them, with its tiles; its time is infinite if the device can run none.
Candidate by_tensor_maps(const DeviceCapabilities& device, const Problem& problem);

/// The kernel that multiplies by mma.sync: on devices without wgmma, or for int8. Its time is
/// infinite if there is none for the product.
Candidate by_warp_products(const DeviceCapabilities& device, const Problem& problem);

}  // namespace tessera::inline v0::multiplication
