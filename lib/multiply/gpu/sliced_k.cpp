// The sliced_k variant: the work-items of a group split k, and work-groups do, too, if C is small.
#include "multiply/gpu/sliced_k.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "kernels/fence_options.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "multiply/product_types.hpp"
#include "runtime/capabilities.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Rule;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

constexpr std::size_t kContiguous = 1;

std::size_t items_of_slice(const Parameters& p) {
  return size(p, "TILE_M") / size(p, "WORK_M") * (size(p, "TILE_N") / size(p, "WORK_N"));
}

/// Those that add the sums of a block's sharers, beside each other.
std::size_t joiners(const Parameters& p, const DeviceCapabilities& device) {
  const std::size_t wanted = device.type == DeviceType::cpu ? 64 : 1024,
                    maximum = std::min(wanted, device.max_work_group);
  return std::max<std::size_t>(maximum / items_of_slice(p), 1);
}

std::size_t items(const Parameters& p) { return size(p, "SLICES") * items_of_slice(p); }

/// Their sizes alone.
SlicedTiles tiles_of(const Parameters& p) {
  return {.tile_m = size(p, "TILE_M"),
          .tile_n = size(p, "TILE_N"),
          .tile_k = size(p, "TILE_K"),
          .stages = size(p, "STAGES")};
}

void enqueue_slice(const Plan& plan, const Call& call, Submission& submission) {
  constexpr std::size_t kMaxBlocks = std::size_t{1} << 31;
  runtime::Stream& stream = submission.stream();
  SlicedTiles tiles = tiles_of(plan.parameters);
  tiles.groups_per_cu = plan.size("GROUPS_PER_CU");
  tiles.min_depth = plan.size("MIN_DEPTH");
  const std::size_t slices = plan.size("SLICES");
  const StreamK work = joined_where_it_can(
      sliced_k_work(call.shape, call.batch(), tiles, stream.context().device().info.compute_units),
      stream, slices);
  const std::size_t blocks = std::size_t{work.down} * work.across,
                    summers = items_of_slice(plan.parameters), tile = tiles.tile_m * tiles.tile_n;
  if (blocks >= kMaxBlocks)
    throw UnsupportedError(plan.variant->full_name(), "C has 2^31 blocks or more");
  const auto sums = memory_of_sums(plan, call, work, tile, submission);
  submission.launch(
      plan.kernel(),
      {{work.shared > 0 ? work.sharers : blocks, 1, call.batch()}, {slices * summers, 1}},
      call.shape, call.alpha, call.beta, work, call.a.buffer(), call.a.at, call.b.buffer(),
      call.b.at, call.c.buffer(), call.c.at, sums, stream.counters());
  if (!work.needs_join()) return;
  submission.launch(plan.kernel("_join"),
                    {{tile / summers / kContiguous, work.shared},
                     {summers, joiners(plan.parameters, runtime::capabilities(stream))}},
                    call.shape, call.alpha, call.beta, work, sums, call.c.buffer(), call.c.at);
}

void enqueue_sliced_k(const Plan& plan, const Call& call, Submission& submission) {
  enqueue_slices(call, plan.size("TILE_M"),
                 [&](const Call& slice) { enqueue_slice(plan, slice, submission); });
}

std::vector<kernels::Parameter> parameters() {
  return {{"TILE_M", "rows of C of a work-group", {16, 32, 64, 128}},
          {"TILE_N", "columns of C of a work-group", {16, 32, 64, 128}},
          {"WORK_M", "rows of C of a work-item", {4, 8}},
          {"WORK_N", "columns of C of a work-item", {4, 8}},
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

bool copies_by_itself(const Target& target) {
  return sliced_k_copies_by_itself(target.device(), target.types.a);
}

Parameters preferred(const Target& target) {
  // A CPU's compilers take long over large tiles.
  const bool is_cpu = target.device().type == DeviceType::cpu;
  const int edge = is_cpu ? 16 : 32;
  const SlicedTiles tiles;
  return {{"TILE_M", edge},
          {"TILE_N", edge},
          {"WORK_M", 4},
          {"WORK_N", 4},
          {"TILE_K", edge},
          {"STAGES", copies_by_itself(target) ? 3 : 2},
          {"SLICES", is_cpu ? 2 : 4},
          {"GROUPS_PER_CU", static_cast<int>(tiles.groups_per_cu)},
          {"MIN_DEPTH", static_cast<int>(tiles.min_depth)}};
}

const std::vector<std::string> kGroup = {"TILE_M", "TILE_N", "WORK_M", "WORK_N", "SLICES"};
const std::vector<std::string> kTile = {"TILE_M", "TILE_N", "WORK_M", "WORK_N", "SLICES", "TILE_K"};

/// What devices do not do well, or not at all.
std::vector<Rule> rules_of_devices() {
  return {
      {.text =
           "a tile is at most 32 x 32 x 32 on a CPU, whose compilers take minutes over larger ones",
       .holds =
           [](const Parameters& p, const Target& target) {
             return target.device().type != DeviceType::cpu ||
                    std::max({p.at("TILE_M"), p.at("TILE_N"), p.at("TILE_K")}) <= 32;
           },
       .depends_on = {"TILE_M", "TILE_N", "TILE_K"}},
      {.text = "STAGES is 2 where copies are not asynchronous",
       .holds =
           [](const Parameters& p, const Target& target) {
             return copies_by_itself(target) || p.at("STAGES") == 2;
           },
       .depends_on = {"STAGES"}},
      {.text = "a work-group has 32 to 256 work-items",
       .holds = [](const Parameters& p,
                   const Target&) { return items(p) >= 32 && items(p) <= 256; },
       .depends_on = kGroup}};
}

/// The rules that the kernel's division of tiles among work-items requires.
std::vector<Rule> rules_of_tiles() {
  return {
      {.text = "a work-group has at least as many work-items as TILE_M, TILE_N and TILE_K",
       .holds =
           [](const Parameters& p, const Target&) {
             return items(p) >= std::max({size(p, "TILE_M"), size(p, "TILE_N"), size(p, "TILE_K")});
           },
       .depends_on = kTile},
      {.text = "a work-item fetches 1 to 16 numbers of each tile",
       .holds =
           [](const Parameters& p, const Target&) {
             const std::size_t minimum = std::min(size(p, "TILE_M"), size(p, "TILE_N")),
                               maximum = std::max(size(p, "TILE_M"), size(p, "TILE_N"));
             return minimum * size(p, "TILE_K") >= items(p) &&
                    maximum * size(p, "TILE_K") <= 16 * items(p);
           },
       .depends_on = kTile},
      {.text = "a slice of a tile is at least 4 deep",
       .holds = [](const Parameters& p,
                   const Target&) { return p.at("TILE_K") >= 4 * p.at("SLICES"); },
       .depends_on = {"TILE_K", "SLICES"}},
      {.text = "the sums of half of the slices fit into the tiles, and a band of C does",
       .holds =
           [](const Parameters& p, const Target&) {
             const std::size_t block = size(p, "TILE_M") * size(p, "TILE_N"),
                               band = 4 * block / size(p, "WORK_M");
             return std::max(size(p, "SLICES") / 2 * block, band) <= tiles_of(p).min_numbers();
           },
       .depends_on = {"TILE_M", "TILE_N", "WORK_M", "WORK_N", "SLICES", "TILE_K", "STAGES"}}};
}

std::vector<Rule> rules() {
  auto all = rules_of_devices();
  std::ranges::move(rules_of_tiles(), std::back_inserter(all));
  return all;
}

std::string options(const Parameters& p, const Target& target) {
  return fmt::format(
      " -D SUM=number -D CONTIGUOUS={} -D JOINERS={} -D SWIZZLE=8 -D ITEMS={} -D ASYNC={:d} -D "
      "A_ALONG_K={:d} -D "
      "B_ALONG_K={:d}{}",
      kContiguous, joiners(p, target.device()), items(p), copies_by_itself(target),
      !is_transposed(target.op_a), is_transposed(target.op_b),
      kernels::fence_options(target.device()));
}

}  // namespace

MultiplyVariant sliced_k() {
  return {
      .kernel = {.name = "sliced_k",
                 .summary = "for GPUs, where C is small: work-items of a group and work-groups "
                            "split k",
                 .types = types_but_int8(),
                 .parameters = parameters(),
                 .preferred = preferred,
                 .rules = rules(),
                 .work_group =
                     [](const Parameters& p) {
                       return WorkGroup{items(p), 1};
                     },
                 .local_bytes =
                     [](const Parameters& p, const Target& target) {
                       return tiles_of(p).numbers() * element_size(target.types.sum);
                     },
                 .options = options},
      .enqueue = enqueue_sliced_k};
}

bool sliced_k_copies_by_itself(const DeviceCapabilities& device, ElementType type) {
  return device.has_async_copies && !has_16_bits(type);
}

std::size_t SlicedTiles::min_numbers() const { return stages * tile_k * (tile_m + tile_n); }

std::size_t SlicedTiles::numbers() const {
  constexpr std::size_t kPad = 4;  // of operands along k, see pitch_of in the kernel
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

}  // namespace tessera::inline v0::multiplication
