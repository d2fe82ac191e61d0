// The sliced_k variant: products of few elements, or of small matrices.
#pragma once

#include "multiply/variant.hpp"

namespace tessera::inline v0::multiplication {

/// cl/multiply/sliced_k.cl: work-items split the depth of tiles in local memory, too.
MultiplyVariant sliced_k();

/// True if the device copies tiles of `type` asynchronously. Halves and bfloat16s pass through
/// registers, where they become floats.
bool sliced_k_copies_by_itself(const DeviceCapabilities& device, ElementType type);

}  // namespace tessera::inline v0::multiplication
