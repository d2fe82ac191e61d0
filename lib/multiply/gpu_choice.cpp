// A model of the time that a product takes on a GPU.
//
// The microseconds are those of an H200 at whole calls of the host. On other GPUs their ratios
// decide, which follow from shapes more than from the device.
#include "multiply/gpu_choice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "multiply/sliced_k.hpp"
#include "multiply/stream_k.hpp"
#include "multiply/tensor_core_double.hpp"
#include "multiply/tensor_core_half.hpp"
#include "multiply/tensor_core_hopper.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

// Microseconds.
constexpr double kCall = 11;         // an empty kernel's launch, and waiting for it
constexpr double kMoreLaunches = 5;  // each
constexpr double kMapped = 20;       // the same of a kernel that makes tensor maps

// Bytes in a microsecond.
constexpr double kCopied = 3e6, kPartialSums = 5e6;

// Elements of C that are stored in a microsecond: one by one, and in aligned runs of 16 bytes.
constexpr double kStored = 0.5e6, kStoredInRuns = 1.2e6;

/// A kernel, and how long the product takes by it.
struct Candidate {
  struct Value {
    const char* name = nullptr;
    int value = 0;
  };

  std::string_view variant;
  double microseconds;
  std::array<Value, 8> parameters = {};
};

std::size_t compute_units(const DeviceCapabilities& device) {
  return std::max<std::size_t>(device.compute_units, 1);
}

double real(std::size_t number) { return static_cast<double>(number); }

/// How much slower than of floats an FMA unit's arithmetic is.
double slowness(ElementType type) {
  return type == ElementType::float64 || type == ElementType::int32 ? 2 : 1;
}

/// A tile of sliced_k, as measured: microseconds that a work-group takes beside its steps, how many
/// work-groups a compute unit does at a time, and the multiply-adds of floats that it does in a
/// microsecond for one alone, and for as many.
struct SlicedTile {
  int m, n, work_m, work_n, k, slices, stages, groups_per_cu, at_a_time;
  double start, alone, together;

  double rate(std::size_t groups) const {
    return alone + (together - alone) * real(groups - 1) / (at_a_time - 1);
  }
};

constexpr SlicedTile kSlicedTiles[] = {{128, 128, 8, 8, 16, 1, 2, 2, 2, 10.4, 144e3, 148e3},
                                       {128, 64, 8, 8, 16, 1, 3, 4, 3, 9.6, 129e3, 135e3},
                                       {64, 128, 8, 8, 16, 1, 3, 4, 2, 10.1, 133e3, 142e3},
                                       {64, 64, 8, 8, 16, 2, 3, 4, 4, 9.0, 120e3, 137e3},
                                       {64, 64, 8, 4, 16, 1, 3, 4, 4, 8.3, 118e3, 140e3},
                                       {64, 64, 8, 4, 32, 2, 2, 2, 2, 7.1, 129e3, 136e3},
                                       {64, 32, 8, 4, 32, 2, 3, 4, 4, 7.0, 86e3, 121e3},
                                       {32, 64, 4, 8, 16, 1, 4, 4, 2, 7.5, 63e3, 121e3},
                                       {32, 32, 4, 4, 32, 4, 3, 4, 2, 6.0, 81e3, 91e3},
                                       {16, 16, 4, 4, 64, 8, 2, 4, 6, 5.5, 46e3, 65e3},
                                       {16, 64, 4, 4, 32, 2, 2, 4, 3, 5.9, 60e3, 111e3},
                                       {16, 128, 4, 8, 16, 2, 3, 4, 4, 6.9, 81e3, 113e3}};

/// Of a compute unit that does so many work-groups, each of `products` multiply-adds.
double microseconds(const SlicedTile& tile, std::size_t groups, double products) {
  const std::size_t at_a_time = static_cast<std::size_t>(tile.at_a_time), last = groups % at_a_time;
  const auto time = [&](std::size_t number) {
    return number == 0 ? 0 : real(number) * products / tile.rate(number);
  };
  return real(groups / at_a_time) * time(at_a_time) + time(last);
}

/// Halves become floats on their way through registers, which also other devices' numbers take.
bool copies_by_themselves(const DeviceCapabilities& device, ElementType type) {
  return device.has_async_copies && type != ElementType::float16;
}

/// The tile with as many stages as it has there, or as fit into local memory.
SlicedTiles tiles_of(const SlicedTile& tile, const DeviceCapabilities& device, ElementType type) {
  SlicedTiles tiles{.tile_m = static_cast<std::size_t>(tile.m),
                    .tile_n = static_cast<std::size_t>(tile.n),
                    .tile_k = static_cast<std::size_t>(tile.k),
                    .stages = 2,
                    .groups_per_cu = static_cast<std::size_t>(tile.groups_per_cu)};
  if (!copies_by_themselves(device, type)) return tiles;
  const std::size_t stage = tiles.numbers() / 2 * operands::number_size(type);
  tiles.stages = std::clamp(device.local_memory / std::max<std::size_t>(stage, 1), std::size_t{2},
                            static_cast<std::size_t>(tile.stages));
  return tiles;
}

Candidate by_slices(const SlicedTile& tile, const SlicedTiles& tiles, const Problem& problem,
                    const DeviceCapabilities& device) {
  constexpr double kThroughRegisters = 1.3;  // as long
  constexpr double kLastSharer = 1, kSharer = 0.3;
  const std::size_t units = compute_units(device);
  const StreamK work =
      sliced_k_work({problem.m, problem.n, problem.k}, problem.batch, tiles, units);
  const bool shared = work.shared > 0;
  const std::size_t groups = shared ? std::size_t{work.sharers}
                                    : std::size_t{work.down} * work.across * problem.batch,
                    steps = shared ? work.share + (work.more > 0 ? 1U : 0U) : work.steps;
  const double products = real(steps) * tile.k * tile.m * tile.n * slowness(problem.type) *
                          (copies_by_themselves(device, problem.type) ? 1 : kThroughRegisters),
               elements = real(problem.m) * real(problem.n) * real(problem.batch),
               join = !shared ? 0
                      : can_join_last(work, device)
                          ? kLastSharer + kSharer * real(work.steps) / real(work.share)
                          : kMoreLaunches;
  return {"sliced_k",
          kCall + tile.start + microseconds(tile, divide_up(groups, units), products) +
              elements / kStoredInRuns + join,
          {{{"TILE_M", tile.m},
            {"TILE_N", tile.n},
            {"WORK_M", tile.work_m},
            {"WORK_N", tile.work_n},
            {"TILE_K", tile.k},
            {"SLICES", tile.slices},
            {"STAGES", static_cast<int>(tiles.stages)},
            {"GROUPS_PER_CU", tile.groups_per_cu}}}};
}

/// An operand as such a kernel meets it.
struct Side {
  std::size_t rows, columns, leading_dimension;  // in memory
  bool in_order;                                 // neighbours in memory are neighbours in tiles
};

double bytes_to_copy(const Side& side, const MappedTiles& tiles, ElementType type) {
  constexpr std::size_t kAlignment = 16;
  const std::size_t pitch = side.leading_dimension > 0 ? side.leading_dimension : side.columns;
  if (side.in_order && operands::element_size(type) == tiles.number &&
      pitch * tiles.number % kAlignment == 0)
    return 0;
  return real(side.rows) * real(side.columns) * real(operands::element_size(type) + tiles.number);
}

/// Elements of C that such kernels store in a microsecond.
double stored(const Problem& problem) {
  constexpr std::size_t kRun = 4;
  const std::size_t pitch =
      problem.leading_dimensions.c > 0 ? problem.leading_dimensions.c : problem.n;
  return problem.n % kRun == 0 && pitch % kRun == 0 ? kStoredInRuns : kStored;
}

/// Of all products of a batch, one after the other, where a compute unit does `rate` multiply-adds
/// in a microsecond.
double by_maps(const MappedTiles& tiles, double rate, const Problem& problem, double copied,
               std::size_t units) {
  constexpr double kAlone = 0.6;  // of its speed: a compute unit with one of several work-groups
  const std::size_t slots = units * tiles.resident, down = divide_up(problem.m, tiles.m),
                    across = divide_up(problem.n, tiles.n);
  const StreamK work = stream_k(down, across, divide_up(problem.k, tiles.k), slots);
  const std::size_t groups = std::max<std::size_t>(work.groups(slots), 1),
                    own = down * across - work.shared,
                    steps = work.share + (work.more > 0 ? 1U : 0U) +
                            divide_up(own, groups) * work.steps;
  const double at_a_time = groups > units       ? real(tiles.resident)
                           : tiles.resident > 1 ? 1 / kAlone
                                                : 1,
               sums = real(work.sharers) * real(tiles.m * tiles.n * tiles.number),
               products = real(steps * tiles.k) * real(tiles.m * tiles.n);
  return real(problem.batch) * (kMapped + products * at_a_time / rate +
                                real(problem.m) * real(problem.n) / stored(problem) +
                                (copied > 0 ? kMoreLaunches + copied / kCopied : 0) +
                                (work.shared > 0 ? kMoreLaunches + sums / kPartialSums : 0));
}

Side side_of_a(const Problem& problem, bool along_k) {
  const bool transposed = problem.transpose_a;
  return {transposed ? problem.k : problem.m, transposed ? problem.m : problem.k,
          problem.leading_dimensions.a, along_k != transposed};
}

Side side_of_b(const Problem& problem, bool along_k) {
  const bool transposed = problem.transpose_b;
  return {transposed ? problem.n : problem.k, transposed ? problem.k : problem.n,
          problem.leading_dimensions.b, along_k == transposed};
}

/// As it lies, an A along k costs 7 % of the product.
Candidate by_bulk_copies(const Problem& problem, std::size_t units, int tile_m, int tile_n,
                         double rate, bool copies_a) {
  constexpr double kAlongK = 0.93;
  const bool along_k = !problem.transpose_a && !copies_a;
  const MappedTiles tiles{static_cast<std::size_t>(tile_m), static_cast<std::size_t>(tile_n), 32, 4,
                          2};
  const double copied = bytes_to_copy(side_of_a(problem, along_k), tiles, problem.type) +
                        bytes_to_copy(side_of_b(problem, false), tiles, problem.type);
  return {"bulk_copy",
          by_maps(tiles, rate * (along_k ? kAlongK : 1) / slowness(problem.type), problem, copied,
                  units),
          {{{"TILE_M", tile_m}, {"TILE_N", tile_n}, {"COPY_A", copies_a ? 1 : 0}}}};
}

/// By a kernel that takes both operands in any order.
Candidate in_any_order(std::string_view variant, const MappedTiles& tiles, double rate,
                       const Problem& problem, std::size_t units) {
  const double copied =
      bytes_to_copy(side_of_a(problem, !problem.transpose_a), tiles, problem.type) +
      bytes_to_copy(side_of_b(problem, problem.transpose_b), tiles, problem.type);
  return {variant, by_maps(tiles, rate, problem, copied, units)};
}

/// Floats as two halves each: both operands are split, and the splits read.
Candidate by_split_halves(const Problem& problem, std::size_t units) {
  constexpr double kRate = 870e3;
  const double split = 8 * (real(problem.m) * real(problem.k) + real(problem.k) * real(problem.n));
  return {"tensor_core_hopper", by_maps(kTensorCoreHopperTiles, kRate, problem, split, units)};
}

/// Has the device room for the operands and, beside them, their copies?
bool has_room_for_copies(const DeviceCapabilities& device, const Problem& problem) {
  constexpr double kPadded = 1.1, kShare = 0.9;
  const auto bytes = [&](std::size_t rows, std::size_t columns) {
    return real(rows) * real(columns) * real(operands::number_size(problem.type));
  };
  const double a = bytes(problem.m, problem.k), b = bytes(problem.k, problem.n),
               c = bytes(problem.m, problem.n);
  return kPadded * std::max(a, b) <= real(device.max_allocation) &&
         real(problem.batch) * (a + b + c) + kPadded * (a + b) <=
             kShare * real(device.global_memory);
}

/// Calls `consider` with each kernel for NVIDIA's Hopper.
template <class Consider>
void by_tensor_maps(const DeviceCapabilities& device, const Problem& problem, std::size_t units,
                    Consider&& consider) {
  constexpr double kDouble = 208e3, kHalf = 2460e3;  // multiply-adds, as above
  if (problem.type == ElementType::float64) {
    consider(in_any_order("tensor_core_double", kTensorCoreDoubleTiles, kDouble, problem, units));
    return;
  }
  if (problem.type == ElementType::float16 && device.has_wgmma) {
    consider(in_any_order("tensor_core_half", kTensorCoreHalfTiles, kHalf, problem, units));
    return;
  }
  for (const bool copies_a : {false, true}) {
    if (copies_a && problem.transpose_a) continue;  // it lies as it is wanted
    consider(by_bulk_copies(problem, units, 128, 128, 190e3, copies_a));
    consider(by_bulk_copies(problem, units, 64, 128, 144e3, copies_a));
    consider(by_bulk_copies(problem, units, 128, 64, 144e3, copies_a));
  }
  if (problem.type == ElementType::float32 && problem.mode.accuracy == Accuracy::bounded &&
      device.has_wgmma)
    consider(by_split_halves(problem, units));
}

}  // namespace

kernels::Preference gpu_preference(const DeviceCapabilities& device, const Problem& problem) {
  constexpr std::size_t kMostExtent = std::size_t{1} << 31;
  const std::size_t units = compute_units(device);
  Candidate best{"register_tiled", std::numeric_limits<double>::infinity()};
  const auto consider = [&](const Candidate& candidate) {
    if (candidate.microseconds < best.microseconds) best = candidate;
  };
  const bool is_usual = std::max({problem.m, problem.n, problem.k}) < kMostExtent;
  if (is_usual) {
    for (const SlicedTile& tile : kSlicedTiles) {
      const SlicedTiles tiles = tiles_of(tile, device, problem.type);
      if (tiles.numbers() * operands::number_size(problem.type) <= device.local_memory)
        consider(by_slices(tile, tiles, problem, device));
    }
  }
  if (is_usual && device.has_tensor_maps && has_room_for_copies(device, problem))
    by_tensor_maps(device, problem, units, consider);
  Parameters parameters;
  for (const auto& [name, value] : best.parameters) {
    if (name != nullptr) parameters.emplace(name, value);
  }
  kernels::Preference preference;
  preference.reserve(4);
  preference.emplace_back(best.variant, std::move(parameters));
  for (const std::string_view other : {"sliced_k", "register_tiled", "naive"}) {
    if (other != best.variant) preference.emplace_back(other);
  }
  return preference;
}

}  // namespace tessera::inline v0::multiplication
