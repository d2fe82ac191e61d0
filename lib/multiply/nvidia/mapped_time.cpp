// The time of kernels that read their operands by tensor maps, and of those that multiply as they
// do by warps, measured on NVIDIA's Hopper.
#include "multiply/nvidia/mapped_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "multiply/gpu/stream_k.hpp"
#include "multiply/nvidia/bulk_copy.hpp"
#include "multiply/nvidia/rates.hpp"
#include "multiply/nvidia/residues.hpp"
#include "multiply/nvidia/split_halves.hpp"
#include "multiply/nvidia/tensor_core_double.hpp"
#include "multiply/nvidia/tensor_core_residues.hpp"
#include "multiply/nvidia/traffic.hpp"
#include "multiply/nvidia/wide_blocks.hpp"
#include "multiply/product_types.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

constexpr double kMapped = 20;       // kCall of a kernel that makes tensor maps of 128 x 256
constexpr double kMoreLaunches = 5;  // each

constexpr double kPartialSums = 5e6;  // bytes in a microsecond

/// Microseconds of all products of a batch, one after the other. A compute unit does `rate`
/// multiply-adds in a microsecond. Operands are copied in `copied` microseconds.
double by_maps(const MappedTiles& tiles, double rate, const Problem& problem, double copied,
               std::size_t units) {
  const std::size_t slots = units * tiles.resident, down = divide_up(problem.m, tiles.m),
                    across = divide_up(problem.n, tiles.n);
  const StreamK work = stream_k(down, across, divide_up(problem.k, tiles.k), slots, tiles.min_saved,
                                tiles.min_saved_of_full);
  const std::size_t groups = std::max<std::size_t>(work.groups(slots), 1),
                    own = down * across - work.shared,
                    steps = work.share + (work.more > 0 ? 1U : 0U) +
                            divide_up(own, groups) * work.steps;
  const double at_a_time = groups > units       ? real(tiles.resident)
                           : tiles.resident > 1 ? 1 / tiles.alone
                                                : 1,
               sums =
                   real(work.sharers) * real(tiles.m * tiles.n * element_size(problem.types.sum)),
               products = real(steps * tiles.k) * real(tiles.m * tiles.n);
  // The model charges the last sharer as much as another launch: with a lower cost, the choices
  // that changed were all slower. kAtOnce parts of a block are read at once.
  constexpr double kAtOnce = 8, kPart = 0.2;
  const double parts = work.shared > 0 ? real(work.sharers) / real(work.shared) : 0,
               join = kMoreLaunches + sums / kPartialSums + kPart * std::max(parts - kAtOnce, 0.0);
  return real(problem.batch) *
         (kMapped + products * at_a_time / rate + time_to_store(problem) +
          (copied > 0 ? kCopyLaunch + copied : 0) + (work.shared > 0 ? join : 0));
}

double copied_of_a(const Problem& problem, bool along_k, const MappedTiles& tiles) {
  return time_to_copy(side_of_a(problem), along_k != is_transposed(problem.op_a), tiles,
                      problem.types.a);
}
double copied_of_b(const Problem& problem, bool along_k, const MappedTiles& tiles) {
  return time_to_copy(side_of_b(problem), along_k == is_transposed(problem.op_b), tiles,
                      problem.types.a);
}

/// An operand along k is turned, which takes some of the work-items' time.
Candidate by_bulk_copies(const Problem& problem, std::size_t units, int tile_m, int tile_n) {
  constexpr double kRate = 212e3, kTurned = 202e3, kOfNarrow = 200e3, kNarrowTurned = 190e3,
                   kStart = 5;
  const bool a_along_k = !is_transposed(problem.op_a), b_along_k = is_transposed(problem.op_b),
             turns = a_along_k || b_along_k, wide = tile_m == tile_n;
  const std::size_t depth = bulk_copy_depth(turns);
  const MappedTiles tiles{.m = static_cast<std::size_t>(tile_m),
                          .n = static_cast<std::size_t>(tile_n),
                          .k = depth,
                          .number = 4,
                          .resident = 2,
                          .min_saved_of_full = bulk_copy_steps_of_joining(depth)};
  const double copied =
                   copied_of_a(problem, a_along_k, tiles) + copied_of_b(problem, b_along_k, tiles),
               rate = wide ? (turns ? kTurned : kRate) : (turns ? kNarrowTurned : kOfNarrow);
  return {"bulk_copy",
          (wide ? real(problem.batch) * kStart : 0) +
              by_maps(tiles, rate / slowness(problem.types.a), problem, copied, units),
          {{{"TILE_M", tile_m}, {"TILE_N", tile_n}, {"WORK_N", wide ? 16 : 8}}}};
}

/// The candidate of a kernel that requires this order of its operands, and copies others.
Candidate in_order(std::string_view variant, const MappedTiles& tiles, double rate,
                   const Problem& problem, std::size_t units, bool a_along_k, bool b_along_k) {
  const double copied =
      copied_of_a(problem, a_along_k, tiles) + copied_of_b(problem, b_along_k, tiles);
  return {variant, by_maps(tiles, rate, problem, copied, units)};
}

/// The candidate of a kernel that supports any order of its operands.
Candidate in_any_order(std::string_view variant, const MappedTiles& tiles, double rate,
                       const Problem& problem, std::size_t units) {
  return in_order(variant, tiles, rate, problem, units, !is_transposed(problem.op_a),
                  is_transposed(problem.op_b));
}

/// Floats as two halves each: the largest numbers are found, both operands are split, and the
/// splits read. The second time, the L2 cache holds kCached numbers of them. Rows of C that begin
/// at odd numbers are stored more slowly.
Candidate by_split_halves(std::string_view variant, const MappedTiles& tiles, double rate,
                          const Problem& problem, std::size_t units) {
  constexpr double kStart = 12, kCached = 10e6, kOdd = 0.5;
  const double numbers = real(problem.k) * (real(problem.m) + real(problem.n)),
               split = 8 * numbers + 4 * std::max(numbers - kCached, 0.0);
  const bool is_odd = (pitch_of_c(problem) | problem.offsets.c) % 2 != 0;
  return {variant, real(problem.batch) * (kStart + (is_odd ? kOdd * time_to_store(problem) : 0)) +
                       by_maps(tiles, rate, problem, split / kCopied, units)};
}

/// Doubles, or complex ones, by residues: all planes in one launch, between passes over the
/// operands and C.
Candidate by_residues(std::string_view variant, double rate, const Problem& problem,
                      std::size_t units) {
  constexpr double kLaunches = 3, kStart = 8;
  const double element = real(element_size(problem.types.a)),
               planes = real(planes_for(is_complex(problem.types.a)));
  constexpr MappedTiles kTiles = kTensorCoreResiduesTiles;
  const double m = real(problem.m), n = real(problem.n), k = real(problem.k),
               blocks = planes * real(divide_up(problem.m, kTiles.m)) *
                        real(divide_up(problem.n, kTiles.n)),
               products = std::ceil(blocks / real(units)) * real(divide_up(problem.k, kTiles.k)) *
                          real(kTiles.m * kTiles.n * kTiles.k),
               bytes = (2 * element + planes) * (m * k + k * n) + (2 * planes + element) * m * n;
  return {variant, real(problem.batch) * (kMapped + kStart + kLaunches * kMoreLaunches +
                                          products / rate + bytes / kCopied)};
}

/// Whether the device has room for the operands and their copies. Rows of bytes take whole lines in
/// a copy, each slice of an integer one of its own.
bool has_room_for_copies(const DeviceCapabilities& device, const Problem& problem) {
  constexpr double kPadded = 1.1, kShare = 0.9;
  constexpr std::size_t kLine = 128;
  const std::size_t number = element_size(problem.types.sum),
                    of_operand = problem.types.a == ElementType::int8 ? 1 : number;
  const bool as_bytes =
      problem.types.a == ElementType::int8 || problem.types.a == ElementType::int32;
  const double m = real(problem.m), n = real(problem.n), k = real(problem.k),
               depth = as_bytes ? real(operands::round_up(problem.k, kLine)) : k,
               of_operands = (m * k + k * n) * real(of_operand), of_c = m * n * real(number),
               of_row = kPadded * depth * real(of_operand);
  return std::max(m, n) * of_row <= real(device.max_allocation) &&
         real(problem.batch) * (of_operands + of_c) + (m + n) * of_row <=
             kShare * real(device.global_memory);
}

/// Integers of four bytes as slices, which are copied, in pairs one after the other.
Candidate by_slices(std::string_view variant, const MappedTiles& tiles, double rate,
                    const Problem& problem, std::size_t units) {
  constexpr double kCopiedBytes = 4 + kSlicesOfInt32;
  const double copied = kCopiedBytes * real(problem.k) * (real(problem.m) + real(problem.n));
  Problem pairs = problem;
  pairs.k = pairs_of_slices(kSlicesOfInt32) * operands::round_up(problem.k, tiles.k);
  return {variant, by_maps(tiles, rate, pairs, copied / kCopied, units)};
}

/// Halves and integers by wgmma: calls `consider` with each width of blocks.
template <class Consider>
void by_wide_blocks(std::string_view variant, const Problem& problem, std::size_t units,
                    Consider&& consider) {
  struct Width {
    int columns;
    double start_of_halves, start_of_bytes;  // microseconds
    double halves, bytes;                    // multiply-adds, as above
  };
  // Halves: fitted as kShortTiles is. A start is negative where kMapped is too long.
  constexpr Width kWidths[] = {{64, -4, -0.3, 2000e3, 3000e3},
                               {128, -4, 0.3, 2450e3, 4800e3},
                               {192, -3.8, 0.8, 2480e3, 5000e3},
                               {256, -3.2, 1.5, 2580e3, 5200e3}};
  for (const Width& width : kWidths) {
    const MappedTiles tiles = wide_tiles(problem.types.a, static_cast<std::size_t>(width.columns));
    Candidate candidate = has_16_bits(problem.types.a)
                              ? in_any_order(variant, tiles, width.halves, problem, units)
                          : problem.types.a == ElementType::int8
                              ? in_order(variant, tiles, width.bytes, problem, units, true, true)
                              : by_slices(variant, tiles, width.bytes, problem, units);
    candidate.microseconds +=
        real(problem.batch) *
        (has_16_bits(problem.types.a) ? width.start_of_halves : width.start_of_bytes);
    candidate.parameters = {{{"TILE_N", width.columns}}};
    consider(candidate);
  }
}

/// Doubles on the tensor cores. Small tiles begin sooner, but end later if each block has several
/// sharers.
Candidate by_double_tiles(const Problem& problem, std::size_t units, std::size_t edge) {
  constexpr double kRate = 225e3, kOfSmall = 180e3, kLater = 3, kShared = 9;
  const bool small = edge == 64,
             shared = 2 * divide_up(problem.m, edge) * divide_up(problem.n, edge) <= units;
  Candidate candidate = in_any_order("tensor_core_double", tensor_core_double_tiles(edge),
                                     small ? kOfSmall : kRate, problem, units);
  if (!small) candidate.microseconds += real(problem.batch) * kLater;
  if (small && shared) candidate.microseconds += real(problem.batch) * kShared;
  candidate.parameters = {{{"TILE", static_cast<int>(edge)}}};
  return candidate;
}

}  // namespace

Candidate by_tensor_maps(const DeviceCapabilities& device, const Problem& problem) {
  Candidate best{"bulk_copy", std::numeric_limits<double>::infinity()};
  if (device.tensor_map_memory == 0 || !has_room_for_copies(device, problem)) return best;
  const std::size_t units = compute_units(device);
  const auto consider = [&](const Candidate& candidate) {
    if (candidate.microseconds < best.microseconds) best = candidate;
  };
  const bool has_doubles = operands::part_type(problem.types.a) == ElementType::float64;
  if (problem.types.a == ElementType::float64) {
    for (const std::size_t edge : {64U, 128U}) consider(by_double_tiles(problem, units, edge));
  }
  if (has_doubles && problem.mode.accuracy == Accuracy::bounded && device.has_wgmma &&
      problem.k <= kMaxResidueProducts)
    consider(by_residues("tensor_core_residues", 5000e3, problem, units));
  if (has_doubles) return best;
  if (has_16_bits(problem.types.a) && device.has_wgmma) {
    by_wide_blocks("tensor_core_half", problem, units, consider);
    return best;
  }
  if (problem.types.a == ElementType::int8) {
    if (device.has_wgmma) by_wide_blocks("tensor_core_int8", problem, units, consider);
    return best;
  }
  if (problem.types.a == ElementType::int32 && device.has_wgmma)
    by_wide_blocks("tensor_core_int32", problem, units, consider);
  for (const auto& [tile_m, tile_n] : {std::pair(128, 128), {64, 128}, {128, 64}})
    consider(by_bulk_copies(problem, units, tile_m, tile_n));
  if (problem.types.a == ElementType::float32 && problem.mode.accuracy == Accuracy::bounded &&
      device.has_wgmma)
    consider(
        by_split_halves("tensor_core_hopper", split_halves_tiles(true), 870e3, problem, units));
  return best;
}

Candidate by_warp_products(const DeviceCapabilities& device, const Problem& problem) {
  constexpr double kHalves = 560e3, kResidues = 2900e3;  // of an H200's SM by mma.sync
  constexpr std::pair<int, double> kBytes[] = {{64, 1100e3}, {128, 1700e3}, {256, 2900e3}};
  Candidate best{"mma_halves", std::numeric_limits<double>::infinity()};
  const std::size_t units = compute_units(device);
  const bool is_bounded = problem.mode.accuracy == Accuracy::bounded && !device.has_wgmma;
  const MappedTiles halves = split_halves_tiles(false);
  const bool has_room = has_room_for_copies(device, problem);
  const auto can_run = [&](const MappedTiles& tiles) {
    return has_room && no_warp_products(tiles.stage(), device).empty();
  };
  const Rates &its = rates_of(device.nvidia_architecture), &measured = rates_of(90);
  const double floats = its.halves / its.floats * measured.floats / measured.halves,
               bytes = its.bytes / measured.bytes, doubles = bytes * measured.doubles / its.doubles;
  if (problem.types.a == ElementType::float32 && is_bounded && can_run(halves))
    return by_split_halves("mma_halves", halves, kHalves * floats, problem, units);
  if (operands::part_type(problem.types.a) == ElementType::float64 && is_bounded &&
      can_run(kTensorCoreResiduesTiles) && problem.k <= kMaxResidueProducts)
    return by_residues("mma_residues", kResidues * doubles, problem, units);
  if (problem.types.a != ElementType::int8 || !can_run(kTensorCoreResiduesTiles)) return best;
  for (const auto& [columns, rate] : kBytes) {
    Candidate candidate = in_order(
        "mma_int8", wide_tiles(ElementType::int8, static_cast<std::size_t>(columns), false),
        rate * bytes, problem, units, true, true);
    candidate.parameters = {{{"TILE_N", columns}}};
    if (candidate.microseconds < best.microseconds) best = candidate;
  }
  return best;
}

}  // namespace tessera::inline v0::multiplication
