// The choice of kernels for a product on a GPU.
#pragma once

#include <optional>

#include "kernels/operation.hpp"

namespace tessera::inline v0::multiplication {

/// The kernel that takes the least time on paper first: launches, waves of work-groups, and what a
/// compute unit does in a microsecond, as measured on an H200.
kernels::Preference gpu_preference(const DeviceCapabilities& device, const Problem& problem);

/// The types, the shape and the ops of the real product for a complex one, whose operands have no
/// gaps.
Problem in_parts(Problem problem);

/// The kernel for complex elements that is faster on paper than every kernel for the real product.
std::optional<kernels::Preferred> complex_kernel(const DeviceCapabilities& device,
                                                 const Problem& problem);

}  // namespace tessera::inline v0::multiplication
