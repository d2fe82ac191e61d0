// The time of sliced_k's tiles, each measured alone and beside others.
#include "multiply/sliced_k_time.hpp"

#include <limits>

#include "multiply/sliced_k.hpp"
#include "multiply/stream_k.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

/// A tile of sliced_k, as measured: microseconds that a work-group takes beside its steps, how many
/// work-groups a compute unit does at a time, and the multiply-adds of floats that it does in a
/// microsecond for one alone, and for as many.
struct SlicedTile {
  int m, n, work_m, work_n, k, slices, stages, at_a_time;
  double start, alone, together;

  double rate(std::size_t groups) const {
    return alone + (together - alone) * real(groups - 1) / (at_a_time - 1);
  }
};

/// Each of eight others, tried on an H200 with 110 random products, gains at most 0.1 % beside
/// these. Fitted to 4865 times of 220 products: of these, what is chosen takes 1 to 2 % longer
/// than the best.
constexpr SlicedTile kSlicedTiles[] = {{128, 64, 8, 8, 16, 1, 3, 4, 7.6, 135e3, 158e3},
                                       {64, 128, 8, 8, 16, 1, 3, 2, 7.7, 142e3, 161e3},
                                       {64, 64, 4, 8, 16, 1, 3, 4, 6.2, 116e3, 153e3},
                                       {64, 32, 8, 4, 32, 2, 3, 4, 6.0, 99e3, 129e3},
                                       {32, 64, 4, 8, 16, 1, 4, 2, 6.4, 70e3, 131e3},
                                       {32, 32, 4, 4, 32, 2, 3, 4, 5.6, 62e3, 114e3},
                                       {32, 32, 4, 4, 32, 4, 3, 3, 6.2, 86e3, 107e3},
                                       {16, 16, 4, 4, 64, 8, 2, 4, 6.5, 55e3, 75e3},
                                       {16, 128, 4, 8, 16, 2, 3, 4, 6.3, 94e3, 127e3}};

/// Sharers of k for each compute unit.
constexpr int kGroupsPerCu[] = {1, 2, 4};

/// Of a compute unit that does so many work-groups, each of `products` multiply-adds.
double microseconds(const SlicedTile& tile, std::size_t groups, double products) {
  const std::size_t at_a_time = static_cast<std::size_t>(tile.at_a_time), last = groups % at_a_time;
  const auto time = [&](std::size_t number) {
    return number == 0 ? 0 : real(number) * products / tile.rate(number);
  };
  return real(groups / at_a_time) * time(at_a_time) + time(last);
}

/// The tile with as many stages as it has there, or as fit into local memory.
SlicedTiles tiles_of(const SlicedTile& tile, int groups_per_cu, const DeviceCapabilities& device,
                     ElementType type) {
  SlicedTiles tiles{.tile_m = static_cast<std::size_t>(tile.m),
                    .tile_n = static_cast<std::size_t>(tile.n),
                    .tile_k = static_cast<std::size_t>(tile.k),
                    .stages = 2,
                    .groups_per_cu = static_cast<std::size_t>(groups_per_cu)};
  if (!sliced_k_copies_by_itself(device, type)) return tiles;
  const std::size_t stage = tiles.numbers() / 2 * operands::number_size(type);
  tiles.stages = std::clamp(device.local_memory / std::max<std::size_t>(stage, 1), std::size_t{2},
                            static_cast<std::size_t>(tile.stages));
  return tiles;
}

Candidate by_slices(const SlicedTile& tile, const SlicedTiles& tiles, const Problem& problem,
                    const DeviceCapabilities& device) {
  constexpr double kThroughRegisters = 1.3;  // as long
  constexpr double kStored = 0.64e6;         // elements of C in a microsecond
  // Joining a shared block's sums, by its last sharer, who takes longer for each part that a slice
  // adds, or by another launch; bytes of all sums in a microsecond; a sharer's second block.
  constexpr double kLast = 3.1, kOfLast = 0.42, kLaunch = 8.6, kSums = 1.3e6, kSecond = 3;
  const std::size_t units = compute_units(device);
  const StreamK work =
      sliced_k_work({problem.m, problem.n, problem.k}, problem.batch, tiles, units);
  const bool shared = work.shared > 0;
  const std::size_t groups = shared ? std::size_t{work.sharers}
                                    : std::size_t{work.down} * work.across * problem.batch,
                    steps = shared ? work.share + (work.more > 0 ? 1U : 0U) : work.steps;
  const double products = real(steps) * tile.k * tile.m * tile.n * slowness(problem.type) *
                          (sliced_k_copies_by_itself(device, problem.type) ? 1 : kThroughRegisters),
               elements = real(problem.m) * real(problem.n) * real(problem.batch);
  double join = 0;
  if (shared) {
    const std::size_t slices = static_cast<std::size_t>(tile.slices);
    const double parts = real(work.steps) / real(work.share) / real(slices),
                 bytes = real(work.sharers) * tile.m * tile.n *
                         real(operands::number_size(problem.type));
    join = (can_join_last(work, device, slices) ? kLast + kOfLast * parts : kLaunch) +
           bytes / kSums + (work.sharers % work.shared != 0 ? kSecond : 0);
  }
  return {"sliced_k",
          kCall + tile.start + microseconds(tile, divide_up(groups, units), products) +
              elements / kStored + join,
          {{{"TILE_M", tile.m},
            {"TILE_N", tile.n},
            {"WORK_M", tile.work_m},
            {"WORK_N", tile.work_n},
            {"TILE_K", tile.k},
            {"SLICES", tile.slices},
            {"STAGES", static_cast<int>(tiles.stages)},
            {"GROUPS_PER_CU", static_cast<int>(tiles.groups_per_cu)}}}};
}

}  // namespace

Candidate by_sliced_k(const DeviceCapabilities& device, const Problem& problem) {
  Candidate best{"sliced_k", std::numeric_limits<double>::infinity()};
  for (const SlicedTile& tile : kSlicedTiles) {
    for (const int groups_per_cu : kGroupsPerCu) {
      const SlicedTiles tiles = tiles_of(tile, groups_per_cu, device, problem.type);
      if (tiles.numbers() * operands::number_size(problem.type) > device.local_memory) continue;
      const Candidate candidate = by_slices(tile, tiles, problem, device);
      if (candidate.microseconds < best.microseconds) best = candidate;
    }
  }
  return best;
}

}  // namespace tessera::inline v0::multiplication
