// Devices that copy in, compute and copy out at the same time.
#include "simulation.hpp"

#include <algorithm>
#include <array>

#include "host_product/panel_cache.hpp"
#include "host_product/schedule.hpp"
#include "host_product/slots.hpp"

namespace tessera::test {
namespace {

using host_product::Extents;
using host_product::PanelCache;
using host_product::Partition;
using host_product::tile_type;

/// A device, and when its queues and its memory for tiles are free.
struct Machine {
  Rates rates;
  PanelCache a, b;
  double in = 0, compute = 0, out = 0;
  std::array<double, host_product::kTiles> home = {};
  SimulatedDevice seen = {};

  double free() const { return *std::ranges::min_element(home); }
};

void run(Machine& machine, const Extents& extents, const Partition& partition,
         const host_product::Tile& tile) {
  const double size = double(element_size(extents.types.a));
  double& home = *std::ranges::min_element(machine.home);
  machine.in = std::max(machine.in, home);
  for (std::size_t part = 0; part < partition.parts; part++) {
    const double depth = double(std::min(partition.depth, extents.k - part * partition.depth));
    double bytes = 0;
    if (!machine.a.place(tile.band, part).is_there)
      bytes += double(std::min(partition.tile_rows, extents.m - tile.band * partition.tile_rows)) *
               depth * size;
    if (!machine.b.place(tile.strip, part).is_there)
      bytes += double(std::min(partition.tile_columns,
                               extents.n - tile.strip * partition.tile_columns)) *
               depth * size;
    machine.seen.bytes_in += std::uint64_t(bytes);
    machine.in += bytes / machine.rates.in;
    const double seconds =
        2 * double(tile.rows) * double(tile.columns) * depth / machine.rates.flops;
    machine.compute = std::max(machine.compute, machine.in) + seconds;
    machine.seen.busy += seconds;
  }
  const double bytes = double(tile.rows) * double(tile.columns) *
                       double(element_size(tile_type(extents.types, partition.parts)));
  machine.out = std::max(machine.out, machine.compute) + bytes / machine.rates.out;
  home = machine.out;
  machine.seen.tiles++;
}

}  // namespace

Simulated simulate(const Extents& extents, const Partition& partition, std::uint64_t bytes,
                   const std::vector<Rates>& rates) {
  const host_product::Slots slots = host_product::slots(extents, partition, bytes);
  std::vector<Machine> machines;
  for (const Rates& one : rates) {
    machines.push_back({one, PanelCache(partition.bands, partition.parts, slots.a),
                        PanelCache(partition.strips, partition.parts, slots.b)});
  }
  host_product::Schedule schedule(partition, rates.size());
  for (;;) {
    Machine& next = *std::ranges::min_element(
        machines, {}, [](const Machine& machine) { return std::max(machine.free(), machine.in); });
    const auto tile =
        schedule.take(std::size_t(&next - machines.data()), {next.a.present(), next.b.present()});
    if (!tile) break;
    run(next, extents, partition, partition.tiles[*tile]);
  }
  Simulated seen;
  for (const Machine& machine : machines) {
    seen.seconds = std::max(seen.seconds, machine.out);
    seen.devices.push_back(machine.seen);
  }
  return seen;
}

}  // namespace tessera::test
