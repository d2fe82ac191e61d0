// The time of sliced_k's tiles, each measured alone and beside others.
#include "multiply/gpu/sliced_k_time.hpp"

#include <limits>

#include "multiply/gpu/sliced_k.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

/// A tile of sliced_k, as measured. A work-group takes `start` microseconds besides its steps. A
/// compute unit runs `at_a_time` work-groups. It does `alone` multiply-adds of floats in a
/// microsecond with one work-group, `together` with all of them.
struct SlicedTile {
  int m, n, work_m, work_n, k, slices, stages, at_a_time;
  double start, alone, together;

  double rate(std::size_t groups) const {
    return alone + (together - alone) * real(groups - 1) / (at_a_time - 1);
  }
};

/// Fitted to 12,400 times of 260 random products by these and eight other tiles on an H200: what is
/// chosen of these takes 1.4 % longer than the best of all, and the eight would gain nothing.
constexpr SlicedTile kSlicedTiles[] = {
    {64, 128, 8, 8, 16, 1, 3, 4, 7.7, 149e3, 178e3}, {64, 64, 8, 8, 32, 2, 2, 2, 7.1, 135e3, 166e3},
    {32, 128, 8, 8, 16, 2, 3, 4, 7.0, 129e3, 162e3}, {64, 64, 4, 8, 16, 1, 3, 4, 5.6, 114e3, 164e3},
    {64, 32, 8, 4, 32, 2, 3, 4, 6.5, 119e3, 149e3},  {16, 128, 4, 8, 16, 2, 3, 4, 6.2, 94e3, 136e3},
    {32, 32, 4, 4, 32, 4, 3, 3, 6.5, 88e3, 107e3},   {16, 16, 4, 4, 64, 8, 2, 4, 7.3, 53e3, 73e3}};

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
  const std::size_t stage = tiles.numbers() / 2 * element_size(ProductTypes(type).sum);
  tiles.stages = std::clamp(device.local_memory / std::max<std::size_t>(stage, 1), std::size_t{2},
                            static_cast<std::size_t>(tile.stages));
  return tiles;
}

Candidate by_slices(const SlicedTile& tile, const SlicedTiles& tiles, const Problem& problem,
                    const DeviceCapabilities& device) {
  // Factors of the time if tiles pass through registers, and if C is smaller than a tile.
  constexpr double kThroughRegisters = 1.3, kPartial = 1.15;
  constexpr double kStored = 0.5e6;  // elements of C in a microsecond
  // Joining a shared block's sums takes kLast by its last sharer, and kOfLast for each part that a
  // slice adds, or kLaunch by another launch. kSums: bytes of all sums in a microsecond. kSecond: a
  // sharer's second block.
  constexpr double kLast = 1.3, kOfLast = 0.58, kLaunch = 8.5, kSums = 1.08e6, kSecond = 2.6;
  const std::size_t units = compute_units(device);
  const StreamK work =
      sliced_k_work({problem.m, problem.n, problem.k}, problem.batch, tiles, units);
  const bool shared = work.shared > 0, is_partial = problem.m < static_cast<std::size_t>(tile.m) ||
                                                    problem.n < static_cast<std::size_t>(tile.n);
  const std::size_t groups = shared ? std::size_t{work.sharers}
                                    : std::size_t{work.down} * work.across * problem.batch,
                    steps = shared ? work.share + (work.more > 0 ? 1U : 0U) : work.steps;
  const double products =
                   real(steps) * tile.k * tile.m * tile.n * slowness(problem.types.a) *
                   (sliced_k_copies_by_itself(device, problem.types.a) ? 1 : kThroughRegisters) *
                   (is_partial ? kPartial : 1),
               elements = real(problem.m) * real(problem.n) * real(problem.batch);
  double join = 0;
  if (shared) {
    const std::size_t slices = static_cast<std::size_t>(tile.slices);
    const double parts = real(work.steps) / real(work.share) / real(slices),
                 bytes =
                     real(work.sharers) * tile.m * tile.n * real(element_size(problem.types.sum));
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
      const SlicedTiles tiles = tiles_of(tile, groups_per_cu, device, problem.types.a);
      if (tiles.numbers() * element_size(problem.types.sum) > device.local_memory) continue;
      const Candidate candidate = by_slices(tile, tiles, problem, device);
      if (candidate.microseconds < best.microseconds) best = candidate;
    }
  }
  return best;
}

}  // namespace tessera::inline v0::multiplication
