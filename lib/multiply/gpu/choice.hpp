// The choice of kernels for a product on a GPU.
#pragma once

#include "kernels/operation.hpp"

namespace tessera::inline v0::multiplication {

/// The kernel that takes the least time on paper first: launches, waves of work-groups, and what a
/// compute unit does in a microsecond, as measured on an H200.
kernels::Preference gpu_preference(const DeviceCapabilities& device, const Problem& problem);

/// The types, the shape and the ops of the real product for a complex one.
Problem in_parts(Problem problem);

/// True for a bounded complex product that takes less time by tensor_core_residues than as a real
/// product.
bool suits_residues(const DeviceCapabilities& device, const Problem& problem);

}  // namespace tessera::inline v0::multiplication
