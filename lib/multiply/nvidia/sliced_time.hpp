// The time of kernels for NVIDIA's tensor cores whose work-groups split k as sliced_k's do.
#pragma once

#include "multiply/gpu/candidate.hpp"

namespace tessera::inline v0::multiplication {

/// Doubles by sliced_k_double, with its fastest tiles.
Candidate by_sliced_k_double(const DeviceCapabilities& device, const Problem& problem);

/// Elements of 16 bits by tensor_core, a batch in one launch.
Candidate by_tensor_core(const DeviceCapabilities& device, const Problem& problem);

}  // namespace tessera::inline v0::multiplication
