// A model of the time that a product takes on a GPU. On other GPUs than an H200 the ratios decide,
// which follow from shapes more than from the device.
#include "multiply/gpu_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "multiply/gpu_candidate.hpp"
#include "multiply/residues.hpp"
#include "multiply/sliced_k_time.hpp"
#include "multiply/stream_k.hpp"
#include "multiply/tensor_core_double.hpp"
#include "multiply/tensor_core_hopper.hpp"
#include "multiply/tensor_core_residues.hpp"
#include "multiply/wide_blocks.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

constexpr double kMapped = 20;       // kCall of a kernel that makes tensor maps of 128 x 256
constexpr double kMoreLaunches = 5;  // each

// Bytes in a microsecond.
constexpr double kCopied = 3e6, kPartialSums = 5e6;

// Elements of C that are stored in a microsecond: one by one, and by neighbours that store beside
// each other.
constexpr double kStored = 0.5e6, kStoredInRuns = 1.2e6;

/// An operand as a kernel meets it that reads by tensor maps.
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
  const StreamK work =
      stream_k(down, across, divide_up(problem.k, tiles.k), slots, tiles.least_saved);
  const std::size_t groups = std::max<std::size_t>(work.groups(slots), 1),
                    own = down * across - work.shared,
                    steps = work.share + (work.more > 0 ? 1U : 0U) +
                            divide_up(own, groups) * work.steps;
  const double at_a_time = groups > units       ? real(tiles.resident)
                           : tiles.resident > 1 ? 1 / kAlone
                                                : 1,
               sums = real(work.sharers) *
                      real(tiles.m * tiles.n * operands::number_size(problem.type)),
               products = real(steps * tiles.k) * real(tiles.m * tiles.n);
  // Sharing costs as much where the last sharer joins the sums as by another launch: with less, the
  // choices that changed were all slower.
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

/// As it lies, an A along k costs 7 % of the product, or 3 % with narrow tiles.
Candidate by_bulk_copies(const Problem& problem, std::size_t units, int tile_m, int tile_n,
                         bool copies_a) {
  constexpr double kRate = 186e3, kAlongK = 0.93, kOfNarrow = 178e3, kNarrowAlongK = 0.97,
                   kStart = 9;
  const bool along_k = !problem.transpose_a && !copies_a, wide = tile_m == tile_n;
  const MappedTiles tiles{static_cast<std::size_t>(tile_m), static_cast<std::size_t>(tile_n), 32, 4,
                          2};
  const double copied = bytes_to_copy(side_of_a(problem, along_k), tiles, problem.type) +
                        bytes_to_copy(side_of_b(problem, false), tiles, problem.type),
               rate = wide ? kRate * (along_k ? kAlongK : 1)
                           : kOfNarrow * (along_k ? kNarrowAlongK : 1);
  return {"bulk_copy",
          real(problem.batch) * kStart +
              by_maps(tiles, rate / slowness(problem.type), problem, copied, units),
          {{{"TILE_M", tile_m},
            {"TILE_N", tile_n},
            {"WORK_N", wide ? 16 : 8},
            {"COPY_A", copies_a ? 1 : 0}}}};
}

/// By a kernel that wants its operands so.
Candidate in_order(std::string_view variant, const MappedTiles& tiles, double rate,
                   const Problem& problem, std::size_t units, bool a_along_k, bool b_along_k) {
  const double copied = bytes_to_copy(side_of_a(problem, a_along_k), tiles, problem.type) +
                        bytes_to_copy(side_of_b(problem, b_along_k), tiles, problem.type);
  return {variant, by_maps(tiles, rate, problem, copied, units)};
}

/// By a kernel that takes both operands in any order.
Candidate in_any_order(std::string_view variant, const MappedTiles& tiles, double rate,
                       const Problem& problem, std::size_t units) {
  return in_order(variant, tiles, rate, problem, units, !problem.transpose_a, problem.transpose_b);
}

/// int8 on any GPU, a batch in one launch: what an H200 does, tile after tile.
Candidate by_register_tiles(const Problem& problem, std::size_t units) {
  constexpr std::size_t kTile = 128;
  constexpr double kRate = 75e3;
  const std::size_t tiles =
      problem.batch * divide_up(problem.m, kTile) * divide_up(problem.n, kTile);
  return {"register_tiled",
          kCall + real(divide_up(tiles, units) * problem.k) * real(kTile * kTile) / kRate};
}

/// Do rows of both operands begin at multiples of 16 bytes?
bool is_aligned(const Problem& problem) {
  constexpr std::size_t kAlignment = 16;
  const std::size_t number = operands::element_size(problem.type);
  for (const Side& side : {side_of_a(problem, true), side_of_b(problem, true)}) {
    const std::size_t pitch = side.leading_dimension > 0 ? side.leading_dimension : side.columns;
    if (pitch * number % kAlignment != 0) return false;
  }
  return true;
}

/// Halves on the tensor cores of any GPU that has them, a batch in one launch: what an H200 does
/// with tiles of 64 x 64, of which a single one does not keep a compute unit busy.
Candidate by_tensor_core(const Problem& problem, std::size_t units) {
  constexpr std::size_t kTile = 64;
  constexpr double kStart = 4, kAlone = 420e3, kTogether = 700e3, kNotAligned = 3, kRead = 4e6;
  const std::size_t groups =
                        problem.batch * divide_up(problem.m, kTile) * divide_up(problem.n, kTile),
                    each = divide_up(groups, units);
  const double m = real(problem.m), n = real(problem.n), k = real(problem.k),
               products = real(each * operands::round_up(problem.k, kTile)) * real(kTile * kTile),
               bytes = real(problem.batch * operands::element_size(problem.type)) *
                       (m * k + k * n + m * n);
  return {"tensor_core", kCall + kStart +
                             std::max(products * (is_aligned(problem) ? 1 : kNotAligned) /
                                          (each > 1 ? kTogether : kAlone),
                                      bytes / kRead)};
}

/// Floats as two halves each: both operands are split, and the splits read.
Candidate by_split_halves(const Problem& problem, std::size_t units) {
  constexpr double kRate = 870e3;
  const double split = 8 * (real(problem.m) * real(problem.k) + real(problem.k) * real(problem.n));
  return {"tensor_core_hopper", by_maps(kTensorCoreHopperTiles, kRate, problem, split, units)};
}

/// Doubles by residues: all planes in one launch, between passes over the operands and C.
Candidate by_residues(const Problem& problem, std::size_t units) {
  constexpr double kRate = 5000e3, kLaunches = 3, kElement = 8, kPlanes = kModuli.size();
  constexpr MappedTiles kTiles = kTensorCoreResiduesTiles;
  const double m = real(problem.m), n = real(problem.n), k = real(problem.k),
               blocks = kPlanes * real(divide_up(problem.m, kTiles.m)) *
                        real(divide_up(problem.n, kTiles.n)),
               products = std::ceil(blocks / real(units)) * real(divide_up(problem.k, kTiles.k)) *
                          real(kTiles.m * kTiles.n * kTiles.k),
               bytes =
                   (2 * kElement + kPlanes) * (m * k + k * n) + (2 * kPlanes + kElement) * m * n;
  return {"tensor_core_residues", real(problem.batch) * (kMapped + kLaunches * kMoreLaunches +
                                                         products / kRate + bytes / kCopied)};
}

/// Has the device room for the operands and, beside them, their copies?
bool has_room_for_copies(const DeviceCapabilities& device, const Problem& problem) {
  constexpr double kPadded = 1.1, kShare = 0.9;
  const std::size_t number = operands::number_size(problem.type),
                    of_operand = problem.type == ElementType::int8 ? 1 : number;
  const double a = real(problem.m) * real(problem.k) * real(of_operand),
               b = real(problem.k) * real(problem.n) * real(of_operand),
               c = real(problem.m) * real(problem.n) * real(number);
  return kPadded * std::max(a, b) <= real(device.max_allocation) &&
         real(problem.batch) * (a + b + c) + kPadded * (a + b) <=
             kShare * real(device.global_memory);
}

/// Halves and integers of a byte by wgmma: calls `consider` with each width of blocks.
template <class Consider>
void by_wide_blocks(std::string_view variant, const Problem& problem, std::size_t units,
                    Consider&& consider) {
  struct Width {
    int columns;
    double sooner;         // microseconds
    double halves, bytes;  // multiply-adds, as above
  };
  constexpr Width kWidths[] = {{64, 3.5, 1500e3, 3000e3},
                               {128, 2.5, 2400e3, 4800e3},
                               {192, 1.5, 2500e3, 5000e3},
                               {256, 0, 2500e3, 5200e3}};
  const bool bytes = problem.type == ElementType::int8;
  for (const Width& width : kWidths) {
    const MappedTiles tiles = wide_tiles(problem.type, static_cast<std::size_t>(width.columns));
    Candidate candidate = bytes ? in_order(variant, tiles, width.bytes, problem, units, true, true)
                                : in_any_order(variant, tiles, width.halves, problem, units);
    candidate.microseconds -= real(problem.batch) * width.sooner;
    candidate.parameters = {{{"TILE_N", width.columns}}};
    consider(candidate);
  }
}

/// Calls `consider` with each kernel for NVIDIA's Hopper.
template <class Consider>
void by_tensor_maps(const DeviceCapabilities& device, const Problem& problem, std::size_t units,
                    Consider&& consider) {
  constexpr double kDouble = 232e3;  // multiply-adds, as above
  if (problem.type == ElementType::float64) {
    consider(in_any_order("tensor_core_double", kTensorCoreDoubleTiles, kDouble, problem, units));
    if (problem.mode.accuracy == Accuracy::bounded && device.has_wgmma &&
        problem.k <= kMaxResidueProducts)
      consider(by_residues(problem, units));
    return;
  }
  if (problem.type == ElementType::float16 && device.has_wgmma) {
    by_wide_blocks("tensor_core_half", problem, units, consider);
    return;
  }
  if (problem.type == ElementType::int8) {
    if (device.has_wgmma) by_wide_blocks("tensor_core_int8", problem, units, consider);
    return;
  }
  for (const bool copies_a : {false, true}) {
    if (copies_a && problem.transpose_a) continue;  // it lies as it is wanted
    for (const auto& [tile_m, tile_n] : {std::pair(128, 128), {64, 128}, {128, 64}})
      consider(by_bulk_copies(problem, units, tile_m, tile_n, copies_a));
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
  const bool is_usual = std::max({problem.m, problem.n, problem.k}) < kMostExtent,
             is_sliced = problem.type != ElementType::int8;
  if (is_usual && is_sliced) consider(by_sliced_k(device, problem));
  if (is_usual && problem.type == ElementType::float16 && device.has_async_copies)
    consider(by_tensor_core(problem, units));
  if (!is_sliced) consider(by_register_tiles(problem, units));
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
    if (other != best.variant && (is_sliced || other != "sliced_k")) preference.emplace_back(other);
  }
  return preference;
}

}  // namespace tessera::inline v0::multiplication
