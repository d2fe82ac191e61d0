// The tensor_core variant: halves on the tensor cores of NVIDIA's GPUs, products of a batch in one
// launch.
#include "multiply/nvidia/tensor_core.hpp"

#include <fmt/format.h>

#include <string>

#include "multiply/enqueue.hpp"
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
  return size(p, "STAGES") * (size(p, "TILE_M") + size(p, "TILE_N")) * kTileK * 2;
}

void enqueue_tensor_core(const Plan& plan, const Call& call, Submission& submission) {
  constexpr std::size_t kMaxBlocks = std::size_t{1} << 31, kMaxDepth = std::size_t{1} << 31;
  enqueue_slices(call, plan.size("TILE_M"), [&](const Call& slice) {
    const std::size_t down = divide_up(slice.shape.m, plan.size("TILE_M")),
                      across = divide_up(slice.shape.n, plan.size("TILE_N"));
    if (down * across >= kMaxBlocks || slice.shape.k >= kMaxDepth)
      throw UnsupportedError(plan.variant->full_name(), "C has 2^31 blocks or more, or k is 2^31");
    submission.launch(plan.kernel(), {{down * across, 1, slice.batch()}, {kItems, 1}}, slice.shape,
                      slice.alpha, slice.beta, static_cast<cl_uint>(down),
                      static_cast<cl_uint>(across), slice.a.buffer(), slice.a.at, slice.b.buffer(),
                      slice.b.at, slice.c.buffer(), slice.c.at);
  });
}

std::string unsupported(const Target& target) {
  return target.device().has_async_copies
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
                         {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}},
          .preferred =
              [](const Target&) {
                return Parameters{{"TILE_M", 64}, {"TILE_N", 64}, {"STAGES", 2}, {"SWIZZLE", 8}};
              },
          .work_group =
              [](const Parameters&) {
                return WorkGroup{kItems, 1};
              },
          .local_bytes = [](const Parameters& p, const Target&) { return bytes_of_stages(p); },
          .unsupported_reason = unsupported,
          .options =
              [](const Parameters&, const Target& target) {
                return fmt::format(" -D CONTIGUOUS={} -D A_ALONG_K={:d} -D B_ALONG_K={:d}",
                                   kContiguous, !is_transposed(target.op_a),
                                   is_transposed(target.op_b));
              }},
      .enqueue = enqueue_tensor_core};
}

}  // namespace tessera::inline v0::multiplication
