// Schedule: which device computes which tile next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "host_product/partition.hpp"

namespace tessera::inline v0::host_product {

/// The share of each band of A and of each strip of B that is in a device's memory: 1 if all of it
/// is there.
struct Present {
  std::vector<double> bands, strips;
};

/// The tiles that no device has taken. A device takes the tile whose missing panels serve the most
/// further tiles, so that devices work on squares that grow, each from its own corner. Large tiles
/// come first. Not safe to use from several threads.
class Schedule {
 public:
  Schedule(const Partition& partition, std::size_t devices);

  /// The tile for a device; empty if none is left.
  std::optional<std::size_t> take(std::size_t device, const Present& present);
  /// A tile that a device has taken and cannot compute.
  void give_back(std::size_t tile) {
    is_left_[tile] = true;
    first_left_ = std::min(first_left_, tile);
  }

 private:
  const Partition* partition_;
  std::size_t devices_;
  std::vector<bool> is_left_;
  std::size_t first_left_ = 0;  // or before it
};

}  // namespace tessera::inline v0::host_product
