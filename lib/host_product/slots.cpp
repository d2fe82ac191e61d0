// Dividing a device's memory among panels.
#include "host_product/slots.hpp"

#include <algorithm>

namespace tessera::inline v0::host_product {

Slots slots(const Extents& extents, const Partition& partition, std::uint64_t bytes) {
  const ElementType type = tile_type(extents.types, partition.parts);
  const std::uint64_t tiles =
      kTiles * partition.tile_rows * partition.tile_columns * element_size(type);
  std::uint64_t room = bytes > tiles ? bytes - tiles : 0;
  const std::uint64_t of_a = panel_bytes(extents, partition.tile_rows, partition.depth),
                      of_b = panel_bytes(extents, partition.tile_columns, partition.depth);
  const std::size_t all_a = partition.bands * partition.parts,
                    all_b = partition.strips * partition.parts;
  const auto take = [&](std::uint64_t share, std::uint64_t panel, std::size_t all) {
    const std::size_t number =
        std::clamp<std::size_t>(share / panel, std::min(all, kLeastPanels), all);
    room -= std::min(room, number * panel);
    return number;
  };
  const std::uint64_t least_b = std::min(all_b, kLeastPanels) * of_b;
  const std::size_t half = take(std::min(room / 2, room - std::min(room, least_b)), of_a, all_a),
                    b = take(room, of_b, all_b);
  return {std::min<std::size_t>(all_a, half + room / of_a), b};
}

}  // namespace tessera::inline v0::host_product
