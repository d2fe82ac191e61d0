// Ranking tiles by the panels that a device already has.
#include "host_product/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace tessera::inline v0::host_product {
namespace {

constexpr double kThere = 0.999;  // shares of a band are sums of fractions

/// Columns of the squarest grid of devices.
std::size_t devices_across(std::size_t devices) {
  std::size_t across = 1;
  for (std::size_t i = 2; i * i <= devices; i++) {
    if (devices % i == 0) across = i;
  }
  return across;
}

}  // namespace

Schedule::Schedule(const Partition& partition, std::size_t devices)
    : partition_(&partition), devices_(devices), is_left_(partition.tiles.size(), true) {}

std::optional<std::size_t> Schedule::take(std::size_t device, const Present& present) {
  const auto& tiles = partition_->tiles;
  // Among very many tiles, the next thousands are compared.
  constexpr std::size_t kWindow = 4096;
  while (first_left_ < tiles.size() && !is_left_[first_left_]) first_left_++;
  const std::size_t end = std::min(first_left_ + kWindow, tiles.size());
  // Tiles that become computable without a copy if the rest of this band or strip arrives.
  std::vector<double> by_band(partition_->bands, 0), by_strip(partition_->strips, 0);
  for (std::size_t i = first_left_; i < end; i++) {
    if (!is_left_[i]) continue;
    if (present.strips[tiles[i].strip] >= kThere) by_band[tiles[i].band]++;
    if (present.bands[tiles[i].band] >= kThere) by_strip[tiles[i].strip]++;
  }
  // Devices form a grid. Each works from its own corner on, then around to the tiles before it.
  const std::size_t across = devices_across(devices_), down = devices_ / across;
  const std::size_t band = device / across * partition_->bands / down,
                    strip = device % across * partition_->strips / across;
  const auto rank = [&](std::size_t i) {
    const Tile& tile = tiles[i];
    const double missing_band = 1 - present.bands[tile.band],
                 missing_strip = 1 - present.strips[tile.strip];
    double value = 1;
    if (missing_band > 1 - kThere) value = std::max(value, by_band[tile.band]);
    if (missing_strip > 1 - kThere) value = std::max(value, by_strip[tile.strip]);
    const double missing = missing_band * static_cast<double>(partition_->tile_rows) +
                           missing_strip * static_cast<double>(partition_->tile_columns);
    const std::size_t ahead = (tile.band + partition_->bands - band) % partition_->bands +
                              (tile.strip + partition_->strips - strip) % partition_->strips;
    return std::tuple(tile.rows * tile.columns, -missing / value, -static_cast<double>(ahead));
  };
  std::optional<std::size_t> best;
  decltype(rank(0)) highest;
  for (std::size_t i = first_left_; i < end; i++) {
    if (!is_left_[i]) continue;
    const auto own = rank(i);
    if (best && own <= highest) continue;
    best = i;
    highest = own;
  }
  if (best) is_left_[*best] = false;
  return best;
}

}  // namespace tessera::inline v0::host_product
