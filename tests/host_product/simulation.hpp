// Simulation: when devices of given rates end their tiles of a product of host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host_product/partition.hpp"

namespace tessera::test {

/// A device: floating-point operations, and bytes in and out, in a second.
struct Rates {
  double flops, in, out;
};

struct SimulatedDevice {
  std::size_t tiles = 0;
  std::uint64_t bytes_in = 0;
  double busy = 0;  ///< seconds of computing
};

struct Simulated {
  double seconds = 0;
  std::vector<SimulatedDevice> devices;
};

/// Runs the library's own schedule and panel caches, of devices with `bytes` for panels and tiles.
Simulated simulate(const host_product::Extents& extents, const host_product::Partition& partition,
                   std::uint64_t bytes, const std::vector<Rates>& rates);

}  // namespace tessera::test
