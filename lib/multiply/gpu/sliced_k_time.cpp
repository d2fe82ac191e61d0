// The time of sliced_k's tiles, each measured alone and beside others.
#include "multiply/gpu/sliced_k_time.hpp"

#include <algorithm>
#include <limits>

#include "multiply/gpu/sliced_blocks.hpp"
#include "multiply/gpu/sliced_k.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "multiply/product_types.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

/// Fitted to 12,400 times of 260 random products by these and eight other tiles on an H200, which
/// would gain nothing. The fifth row, and the constants of joining below, are fitted to 2,000 times
/// of 74 others, by faster kernels: what is chosen takes 2 % longer than the best of all.
constexpr SlicedTile kSlicedTiles[] = {
    {64, 128, 8, 8, 16, 1, 3, 4, 7.7, 149e3, 178e3}, {64, 64, 8, 8, 32, 2, 2, 2, 7.1, 135e3, 166e3},
    {32, 128, 8, 8, 16, 2, 3, 4, 7.0, 129e3, 162e3}, {64, 64, 4, 8, 16, 1, 3, 4, 5.6, 114e3, 164e3},
    {64, 32, 8, 4, 32, 2, 3, 4, 6.9, 110e3, 149e3},  {16, 128, 4, 8, 16, 2, 3, 4, 6.2, 94e3, 136e3},
    {32, 32, 4, 4, 32, 4, 3, 3, 6.5, 88e3, 107e3},   {16, 16, 4, 4, 64, 8, 2, 4, 7.3, 53e3, 73e3}};

/// Sharers of k for each compute unit.
constexpr int kGroupsPerCu[] = {1, 2, 4};

/// Of a compute unit that does so many work-groups, each of `products` multiply-adds.
double microseconds(const SlicedTile& tile, std::size_t groups, double products) {
  const std::size_t at_a_time = static_cast<std::size_t>(tile.at_a_time), last = groups % at_a_time;
  const auto time = [&](std::size_t number) {
    return number == 0 ? 0 : real(number) * products / tile.rate(number);
  };
  return real(groups / at_a_time) * time(at_a_time) + time(last) +
         tile.next * real(divide_up(std::max<std::size_t>(groups, 1), at_a_time) - 1);
}

/// The tile with as many stages as it has there, or as fit into local memory.
SlicedTiles tiles_of(const SlicedTile& tile, int groups_per_cu, const SlicedTimes& times,
                     ElementType type) {
  SlicedTiles tiles{.tile_m = static_cast<std::size_t>(tile.m),
                    .tile_n = static_cast<std::size_t>(tile.n),
                    .tile_k = static_cast<std::size_t>(tile.k),
                    .stages = 2,
                    .groups_per_cu = static_cast<std::size_t>(groups_per_cu)};
  const std::size_t stage = tiles.numbers() / 2 * element_size(ProductTypes(type).sum),
                    fit = times.local_memory / std::max<std::size_t>(stage, 1),
                    most = std::min(static_cast<std::size_t>(tile.stages), times.max_stages);
  tiles.stages = std::clamp(fit, std::size_t{2}, most);
  return tiles;
}

Candidate by_slices(const SlicedTimes& times, const SlicedTile& tile, const SlicedTiles& tiles,
                    const Problem& problem, const DeviceCapabilities& device) {
  // Joining a shared block's sums takes kLast by its last sharer, and kOfLast for each part that a
  // slice adds, or kLaunch by another launch. kSecond: a sharer's second block.
  constexpr double kLast = 1, kOfLast = 0.45, kLaunch = 4, kSecond = 2.1;
  const std::size_t units = compute_units(device);
  const StreamK work =
      sliced_k_work({problem.m, problem.n, problem.k}, problem.batch, tiles, units);
  const bool shared = work.shared > 0, is_partial = problem.m < static_cast<std::size_t>(tile.m) ||
                                                    problem.n < static_cast<std::size_t>(tile.n);
  const std::size_t groups = shared ? std::size_t{work.sharers}
                                    : std::size_t{work.down} * work.across * problem.batch,
                    steps = shared ? work.share + (work.more > 0 ? 1U : 0U) : work.steps;
  const double products = real(steps) * tile.k * tile.m * tile.n * times.slowness *
                          (is_partial ? times.partial : 1),
               elements = real(problem.m) * real(problem.n) * real(problem.batch) *
                          (problem.beta == 0 ? 1 : 1 + times.read_again);
  const bool has_parts = times.part_m != nullptr;
  double join = 0;
  if (shared) {
    const std::size_t slices = static_cast<std::size_t>(tile.slices);
    const double parts = real(work.steps) / real(work.share) / real(slices),
                 bytes =
                     real(work.sharers) * tile.m * tile.n * real(element_size(problem.types.sum));
    join = (can_join_last(work, device, slices) ? kLast + kOfLast * parts : kLaunch) +
           bytes / times.summed + (work.sharers % work.shared != 0 ? kSecond : 0);
  }
  return {times.variant,
          kCall + tile.start + microseconds(tile, divide_up(groups, units), products) +
              elements / times.stored + join,
          {{{"TILE_M", tile.m},
            {"TILE_N", tile.n},
            {times.part_m, tile.part_m},
            {times.part_n, tile.part_n},
            {has_parts ? "TILE_K" : nullptr, tile.k},
            {has_parts ? "SLICES" : nullptr, tile.slices},
            {"STAGES", static_cast<int>(tiles.stages)},
            {"GROUPS_PER_CU", static_cast<int>(tiles.groups_per_cu)}}}};
}

}  // namespace

Candidate fastest_sliced(const SlicedTimes& times, const DeviceCapabilities& device,
                         const Problem& problem) {
  Candidate best{times.variant, std::numeric_limits<double>::infinity()};
  for (const SlicedTile& tile : times.tiles) {
    for (const int groups_per_cu : kGroupsPerCu) {
      // Sharers of large blocks, four for each compute unit, took 1.2 times what the model expects.
      constexpr int kLarge = 64 * 128;
      if (groups_per_cu > 2 && tile.m * tile.n >= kLarge) continue;
      const SlicedTiles tiles = tiles_of(tile, groups_per_cu, times, problem.types.a);
      if (tiles.numbers() * element_size(problem.types.sum) > times.local_memory) continue;
      const Candidate candidate = by_slices(times, tile, tiles, problem, device);
      if (candidate.microseconds < best.microseconds) best = candidate;
    }
  }
  return best;
}

Candidate by_sliced_k(const DeviceCapabilities& device, const Problem& problem) {
  // Tiles that pass through registers take kThroughRegisters times as long; elements of 16 bits
  // also kShort times, and begin kShortStart later: fitted as kShortTiles is.
  constexpr double kThroughRegisters = 1.3, kShort = 1.2, kShortStart = -1.6, kPartial = 1.15,
                   kStored = 0.5e6, kDoublesStored = 0.3e6;
  const bool by_itself = sliced_k_copies_by_itself(device, problem.types.a);
  Candidate fastest =
      fastest_sliced({.variant = "sliced_k",
                      .part_m = "WORK_M",
                      .part_n = "WORK_N",
                      .tiles = kSlicedTiles,
                      .slowness = slowness(problem.types.a) * (by_itself ? 1 : kThroughRegisters) *
                                  (has_16_bits(problem.types.a) ? kShort : 1),
                      .partial = kPartial,
                      .stored = problem.types.c == ElementType::float64 ? kDoublesStored : kStored,
                      .read_again = 1,
                      .summed = 1.08e6,
                      .max_stages = by_itself ? std::size_t{4} : 2,
                      .local_memory = device.local_memory},
                     device, problem);
  if (has_16_bits(problem.types.a)) fastest.microseconds += kShortStart;
  return fastest;
}

}  // namespace tessera::inline v0::multiplication
