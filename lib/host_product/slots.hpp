// Slots: how many panels a device keeps.
#pragma once

#include "host_product/partition.hpp"

namespace tessera::inline v0::host_product {

/// Numbers of panels of A and of B.
struct Slots {
  std::size_t a, b;
};

/// As many as fit in `bytes` beside the tiles, about as many of A as of B, and no more than there
/// are.
Slots slots(const Extents& extents, const Partition& partition, std::uint64_t bytes);

}  // namespace tessera::inline v0::host_product
