// Sharing k, launches, and the parameters that kernels by sliced blocks have in common.
#include "multiply/gpu/sliced_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/fence_options.hpp"
#include "multiply/enqueue.hpp"
#include "runtime/capabilities.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Rule;
using kernels::size;
using kernels::Target;
using runtime::Submission;

constexpr std::size_t kContiguous = 1;

/// Those that add the sums of a block's sharers, beside each other.
std::size_t joiners(std::size_t items_of_slice, const DeviceCapabilities& device) {
  const std::size_t wanted = device.type == DeviceType::cpu ? 64 : 1024,
                    maximum = std::min(wanted, device.max_work_group);
  return std::max<std::size_t>(maximum / items_of_slice, 1);
}

void enqueue_slice(const Plan& plan, const Call& call, Submission& submission) {
  constexpr std::size_t kLimit = std::size_t{1} << 31;
  if (std::max(call.shape.n, call.shape.k) >= kLimit)
    throw UnsupportedError(plan.variant->full_name(), "an extent is 2^31 or more");
  runtime::Stream& stream = submission.stream();
  SlicedTiles tiles = sliced_tiles(plan.parameters);
  tiles.groups_per_cu = plan.size("GROUPS_PER_CU");
  tiles.min_depth = plan.size("MIN_DEPTH");
  const std::size_t slices = plan.size("SLICES"), items_of_slice = plan.group[0] / slices;
  const StreamK work = joined_where_it_can(
      sliced_k_work(call.shape, call.batch(), tiles, stream.context().device().info.compute_units),
      stream, slices);
  const std::size_t blocks = std::size_t{work.down} * work.across,
                    tile = tiles.tile_m * tiles.tile_n;
  if (blocks >= kLimit)
    throw UnsupportedError(plan.variant->full_name(), "C has 2^31 blocks or more");
  const auto sums = memory_of_sums(plan, call, work, tile, submission);
  submission.launch(
      plan.kernel(), {{work.shared > 0 ? work.sharers : blocks, 1, call.batch()}, plan.group},
      call.shape, call.alpha, call.beta, work, call.a.buffer(), call.a.at, call.b.buffer(),
      call.b.at, call.c.buffer(), call.c.at, sums, stream.counters());
  if (!work.needs_join()) return;
  submission.launch(plan.kernel("_join"),
                    {{tile / items_of_slice / kContiguous, work.shared},
                     {items_of_slice, joiners(items_of_slice, runtime::capabilities(stream))}},
                    call.shape, call.alpha, call.beta, work, sums, call.c.buffer(), call.c.at);
}

}  // namespace

std::size_t SlicedTiles::min_numbers() const { return stages * tile_k * (tile_m + tile_n); }

std::size_t SlicedTiles::numbers() const {
  constexpr std::size_t kPad = 4;  // of operands along k, see cl/common/fetched_tiles.cl
  return stages * tile_k * (tile_m + tile_n + 2 * kPad);
}

/// Sharing costs some time, so that it pays only where it saves much of a block's depth.
StreamK sliced_k_work(const Shape& shape, std::size_t batch, const SlicedTiles& tiles,
                      std::size_t compute_units) {
  constexpr std::size_t kMinSaved = 128;
  const std::size_t down = divide_up(shape.m, tiles.tile_m),
                    across = divide_up(shape.n, tiles.tile_n),
                    steps = std::max<std::size_t>(divide_up(shape.k, tiles.tile_k), 1),
                    blocks = down * across, min_steps = divide_up(tiles.min_depth, tiles.tile_k),
                    sharers =
                        std::min(compute_units * tiles.groups_per_cu, blocks * steps / min_steps);
  const StreamK whole{static_cast<cl_uint>(down), static_cast<cl_uint>(across),
                      static_cast<cl_uint>(steps)};
  if (batch > 1 || sharers <= blocks || blocks * steps > std::numeric_limits<cl_uint>::max())
    return whole;
  // If each block can have sharers of its own, none begins another block.
  constexpr double kBusyEnough = 0.85;
  const std::size_t parts = sharers / blocks;
  const StreamK shared =
      static_cast<double>(parts * blocks) >= kBusyEnough * static_cast<double>(sharers)
          ? shared_by(down, across, operands::round_up(steps, parts), parts * blocks)
          : shared_by(down, across, steps, sharers);
  return (steps - shared.share) * tiles.tile_k >= kMinSaved ? shared : whole;
}

SlicedTiles sliced_tiles(const Parameters& parameters) {
  return {.tile_m = size(parameters, "TILE_M"),
          .tile_n = size(parameters, "TILE_N"),
          .tile_k = size(parameters, "TILE_K"),
          .stages = size(parameters, "STAGES")};
}

std::vector<kernels::Parameter> sliced_parameters(std::vector<int> edges) {
  return {{"TILE_M", "rows of C of a work-group", edges},
          {"TILE_N", "columns of C of a work-group", std::move(edges)},
          {"TILE_K", "depth of a tile", {16, 32, 64, 128}},
          {"STAGES", "tiles in flight; 2 on devices without asynchronous copies", {2, 3, 4}},
          {"SLICES", "parts of a tile's depth, each for some of the work-items", {1, 2, 4, 8}},
          {"GROUPS_PER_CU",
           "work-groups that split k, for each compute unit",
           {1, 2, 3, 4, 6, 8},
           true},
          {"MIN_DEPTH",
           "minimum depth of a work-group, where several split k",
           {64, 128, 256, 512},
           true}};
}

std::vector<Rule> sliced_rules(SlicedKernel (*kernel)(const Parameters&),
                               std::vector<std::string> group) {
  const auto items = [kernel](const Parameters& p) {
    return size(p, "SLICES") * kernel(p).items_of_slice;
  };
  group.insert(group.end(), {"TILE_M", "TILE_N", "SLICES"});
  std::vector<std::string> tile = group;
  tile.emplace_back("TILE_K");
  std::vector<std::string> stages = tile;
  stages.emplace_back("STAGES");
  return {
      {.text = "a work-group has 32 to 256 work-items",
       .holds = [items](const Parameters& p,
                        const Target&) { return items(p) >= 32 && items(p) <= 256; },
       .depends_on = group},
      {.text = "a work-group has at least as many work-items as TILE_M, TILE_N and TILE_K",
       .holds =
           [items](const Parameters& p, const Target&) {
             return items(p) >= std::max({size(p, "TILE_M"), size(p, "TILE_N"), size(p, "TILE_K")});
           },
       .depends_on = tile},
      {.text = "a work-item fetches 1 to 16 numbers of each tile",
       .holds =
           [items](const Parameters& p, const Target&) {
             const std::size_t minimum = std::min(size(p, "TILE_M"), size(p, "TILE_N")),
                               maximum = std::max(size(p, "TILE_M"), size(p, "TILE_N"));
             return minimum * size(p, "TILE_K") >= items(p) &&
                    maximum * size(p, "TILE_K") <= 16 * items(p);
           },
       .depends_on = tile},
      {.text = "the sums of half of the slices fit into the tiles, and a band of C does",
       .holds =
           [kernel](const Parameters& p, const Target&) {
             const std::size_t block = size(p, "TILE_M") * size(p, "TILE_N"),
                               band = kernel(p).rows_of_band * size(p, "TILE_N");
             return std::max(size(p, "SLICES") / 2 * block, band) <= sliced_tiles(p).min_numbers();
           },
       .depends_on = stages}};
}

std::string sliced_options(const char* variant, const SlicedKernel& kernel, const Parameters& p,
                           const Target& target) {
  const std::size_t slices = size(p, "SLICES"),
                    sums = size(p, "TILE_M") * size(p, "TILE_N") / kernel.items_of_slice;
  return fmt::format(
      " -D VARIANT={} -D SUM=number -D CONTIGUOUS={} -D JOINERS={} -D SWIZZLE=8 -D ITEMS={} -D "
      "SLICE_ITEMS={} -D SUMS={} -D BAND_ROWS={} -D AT_ONCE={} -D ACROSS_PAD={} -D A_ALONG_K={:d} "
      "-D B_ALONG_K={:d}{}",
      variant, kContiguous, joiners(kernel.items_of_slice, target.device()),
      slices * kernel.items_of_slice, kernel.items_of_slice, sums, kernel.rows_of_band,
      kernel.steps_at_once, kernel.pad_across, !is_transposed(target.op_a),
      is_transposed(target.op_b), kernels::fence_options(target.device()));
}

void enqueue_sliced(const Plan& plan, const Call& call, Submission& submission) {
  enqueue_slices(call, plan.size("TILE_M"),
                 [&](const Call& slice) { enqueue_slice(plan, slice, submission); });
}

}  // namespace tessera::inline v0::multiplication
