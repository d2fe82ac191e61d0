// The tensor_core variant: halves on the tensor cores of NVIDIA's GPUs, products of a batch in one
// launch.
#include "multiply/nvidia/tensor_core.hpp"

#include <fmt/format.h>

#include <string>

#include "kernels/fence_options.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/gpu/sliced_blocks.hpp"
#include "multiply/nvidia/mapped.hpp"
#include "multiply/product_types.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// Must match cl/multiply/tensor_core.cl.
constexpr std::size_t kItems = 128, kTileK = 64, kContiguous = 2;

std::size_t bytes_of_stages(const Parameters& p) {
  constexpr std::size_t kLine = 144;
  return size(p, "STAGES") * (size(p, "TILE_M") + size(p, "TILE_N")) * kLine;
}

/// Splits the blocks of `batch` products among work-groups.
StreamK split(const Shape& shape, std::size_t batch, std::size_t tile_m, std::size_t tile_n,
              std::size_t groups_per_cu, std::size_t compute_units) {
  constexpr std::size_t kMinDepth = 2 * kTileK;
  return sliced_k_work(shape, batch,
                       {.tile_m = tile_m,
                        .tile_n = tile_n,
                        .tile_k = kTileK,
                        .groups_per_cu = groups_per_cu,
                        .min_depth = kMinDepth},
                       compute_units);
}

void enqueue_tensor_core(const Plan& plan, const Call& call, Submission& submission) {
  constexpr std::size_t kMaxBlocks = std::size_t{1} << 31, kMaxDepth = std::size_t{1} << 31;
  const std::size_t tile_m = plan.size("TILE_M"), tile_n = plan.size("TILE_N");
  enqueue_slices(call, tile_m, [&](const Call& slice) {
    runtime::Stream& stream = submission.stream();
    const StreamK work = joined_where_it_can(
        split(slice.shape, slice.batch(), tile_m, tile_n, plan.size("GROUPS_PER_CU"),
              stream.context().device().info.compute_units),
        stream);
    const std::size_t blocks = std::size_t{work.down} * work.across;
    if (blocks >= kMaxBlocks || slice.shape.k >= kMaxDepth)
      throw UnsupportedError(plan.variant->full_name(), "C has 2^31 blocks or more, or k is 2^31");
    const auto sums = memory_of_sums(plan, slice, work, tile_m * tile_n, submission);
    submission.launch(
        plan.kernel(), {{work.shared > 0 ? work.sharers : blocks, 1, slice.batch()}, {kItems, 1}},
        slice.shape, slice.alpha, slice.beta, work, slice.a.buffer(), slice.a.at, slice.b.buffer(),
        slice.b.at, slice.c.buffer(), slice.c.at, sums, stream.counters());
    if (!work.needs_join()) return;
    submission.launch(
        plan.kernel("_join"), {{tile_m * tile_n / kItems / kContiguous, work.shared}, {kItems, 1}},
        slice.shape, slice.alpha, slice.beta, work, sums, slice.c.buffer(), slice.c.at);
  });
}

std::string unsupported(const Target& target) {
  return target.device().async_copy_memory > 0
             ? ""
             : "the device has no tensor cores of halves (NVIDIA, from Ampere on)";
}

}  // namespace

MultiplyVariant tensor_core() {
  return {
      .kernel = {
          .name = "tensor_core",
          .summary = "for NVIDIA's GPUs from Ampere on: small or many products of 16-bit types on "
                     "the tensor cores",
          .types = types_of_16_bits(),
          .parameters = {{"TILE_M", "rows of C of a work-group", {64, 128}},
                         {"TILE_N", "columns of C of a work-group", {64, 128}},
                         {"STAGES", "tiles in flight", {2, 3}},
                         {"GROUPS_PER_CU",
                          "work-groups that split k, for each compute unit",
                          {1, 2, 4},
                          true},
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred =
              [](const Target&) {
                return Parameters{{"TILE_M", 64},
                                  {"TILE_N", 64},
                                  {"STAGES", 2},
                                  {"GROUPS_PER_CU", 2},
                                  {"SWIZZLE", 8}};
              },
          .rules = {stages_fit(bytes_of_stages, {"TILE_M", "TILE_N", "STAGES"})},
          .work_group =
              [](const Parameters&) {
                return WorkGroup{kItems, 1};
              },
          .unsupported_reason = unsupported,
          .options =
              [](const Parameters&, const Target& target) {
                return fmt::format(
                    " -D SUM=number -D CONTIGUOUS={} -D A_ALONG_K={:d} -D B_ALONG_K={:d}{}",
                    kContiguous, !is_transposed(target.op_a), is_transposed(target.op_b),
                    kernels::fence_options(target.device()));
              }},
      .enqueue = enqueue_tensor_core};
}

}  // namespace tessera::inline v0::multiplication
