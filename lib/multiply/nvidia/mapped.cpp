// Which operands a tensor map reads where they are stored, copies of the others, and the product.
#include "multiply/nvidia/mapped.hpp"

#include <algorithm>
#include <utility>

#include "multiply/enqueue.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using runtime::Submission;

// For tensor maps, PTX wants rows aligned, and boxes too: a map that begins before an unaligned
// operand, with its boxes moved by as much, ends in an illegal instruction on an H200.
constexpr std::size_t kBytesOfMap = 128;
constexpr cl_ulong kMaxPitch = cl_ulong{1} << 31;  // 32 bits in cl/nvidia/warp_blocks.cl

/// The rows of A, or the columns of B: element (w, p) is at offset + w * stride + p * k_stride, in
/// a copy, which has groups, at w * to_stride + p * to_k_stride. Side in
/// cl/nvidia/copied_side.cl.
struct Side {
  cl_ulong offset, width, stride, k_stride, to_stride, to_k_stride, groups = 0;

  cl_ulong to_offset() const { return groups > 0 ? 0 : offset; }
};

Side side_of(cl_ulong offset, cl_ulong width, cl_ulong stride, cl_ulong k_stride) {
  return {offset, width, stride, k_stride, stride, k_stride};
}

/// `bytes` is the size of an element as the kernel reads it.
bool is_in_place(const Side& side, bool along_k, std::size_t element, std::size_t bytes,
                 std::size_t alignment) {
  const cl_ulong along = along_k ? side.k_stride : side.stride,
                 across = along_k ? side.stride : side.k_stride;
  return element == bytes && along == 1 && side.offset * bytes % alignment == 0 &&
         across * bytes % alignment == 0 && across * bytes <= kMaxPitch;
}

/// The memory that the kernel reads; a copy is entered in `side`. Each slice of an operand has
/// whole tiles, of `tile` rows.
cl::Buffer memory_of(const Plan& plan, const Call& call, const operands::Operand& operand, Op op,
                     Side& side, bool along_k, std::size_t tile, const MappedKernel& kernel,
                     Submission& submission) {
  const std::size_t depth = call.shape.k, bytes = kernel.parts * kernel.tiles.number;
  const bool conjugates = kernel.parts > 1 && is_conjugated(op);
  if (depth == 0 || (!conjugates && is_in_place(side, along_k, call.element_size(), bytes,
                                                kernel.tiles.alignment)))
    return operand.buffer();
  constexpr std::size_t kRowBytes = 128;
  const std::size_t pitch = round_up((along_k ? depth : side.width) * bytes, kRowBytes),
                    width = kernel.slices == 1 ? side.width : round_up(side.width, tile),
                    rows = along_k ? width : depth;
  side.to_stride = along_k ? pitch / bytes : 1;
  side.to_k_stride = along_k ? 1 : pitch / bytes;
  side.groups = divide_up(side.width, kernel.copy_tile.edge);
  return submission.scratch(kernel.slices * rows * pitch, plan.variant->full_name());
}

/// A layout of elements as one of their numbers. Complex elements of a row are neighbours:
/// operands of other layouts are copied.
Layout in_numbers(std::size_t parts, cl_ulong offset, cl_ulong row, cl_ulong column) {
  return {parts * offset, parts * row, parts == 1 ? column : 1};
}

void enqueue_one(const Plan& plan, const Call& call, Submission& submission,
                 const MappedKernel& kernel) {
  const std::size_t parts = kernel.parts;
  const auto& [m, n, k] = call.shape;
  const Layout &a_at = call.a.at, &b_at = call.b.at, &c_at = call.c.at;
  const Problem& problem = call.problem;
  Side a = side_of(a_at.offset, m, a_at.row, a_at.column),
       b = side_of(b_at.offset, n, b_at.column, b_at.row);
  const MappedTiles& tiles = kernel.tiles;
  const auto a_memory = memory_of(plan, call, call.a, problem.op_a, a, kernel.a_along_k, tiles.m,
                                  kernel, submission),
             b_memory = memory_of(plan, call, call.b, problem.op_b, b, kernel.b_along_k, tiles.n,
                                  kernel, submission);
  if (a.groups + b.groups > 0) {
    submission.launch(
        plan.program->kernel("multiply_copy_operands"),
        {{a.groups + b.groups, std::min(divide_up(k, kernel.copy_tile.edge), operands::kMaxGroups)},
         {kernel.copy_tile.edge, kernel.copy_tile.rows}},
        k, call.a.buffer(), a, a_memory, call.b.buffer(), b, b_memory);
  }
  const Shape shape{m, parts * n, parts * k};
  const std::size_t slots =
      submission.stream().context().device().info.compute_units * tiles.resident;
  runtime::Stream& stream = submission.stream();
  const StreamK work =
      joined_where_it_can(stream_k(divide_up(shape.m, tiles.m), divide_up(shape.n, tiles.n),
                                   pairs_of_slices(kernel.slices) * divide_up(shape.k, tiles.k),
                                   slots, tiles.min_saved, tiles.min_saved_of_full),
                          stream);
  const std::size_t groups = work.groups(slots);
  const auto maps = submission.scratch(2 * kBytesOfMap * groups, plan.variant->full_name()),
             sums = memory_of_sums(plan, call, work, tiles.m * tiles.n / parts, submission);
  const Layout c_to = in_numbers(parts, c_at.offset, c_at.row, 1);
  submission.launch(plan.kernel(), {{groups, 1}, plan.group}, shape, call.alpha, call.beta, work,
                    a_memory, in_numbers(parts, a.to_offset(), a.to_stride, a.to_k_stride),
                    b_memory, in_numbers(parts, b.to_offset(), b.to_k_stride, b.to_stride),
                    call.c.buffer(), c_to, maps, sums, stream.counters());
  if (!work.needs_join()) return;
  const std::size_t runs = tiles.m * tiles.n / kernel.summers / kernel.run;
  submission.launch(plan.kernel("_join"), {{runs, work.shared}, {kernel.summers, 1}}, shape,
                    call.alpha, call.beta, work, sums, call.c.buffer(), c_to);
}

}  // namespace

std::string no_tensor_maps(const kernels::Target& target) {
  return target.device().tensor_map_memory > 0
             ? ""
             : "the device has no tensor maps (NVIDIA's, from Hopper on)";
}

std::size_t room_for_stages(const DeviceCapabilities& device) {
  constexpr std::size_t kOthers = std::size_t{2} << 10;
  const std::size_t all =
      std::max({device.local_memory, device.async_copy_memory, device.tensor_map_memory});
  return all > kOthers ? all - kOthers : 0;
}

int stages_that_fit(std::size_t bytes, const DeviceCapabilities& device) {
  constexpr std::size_t kMost = 4;
  return static_cast<int>(std::min(room_for_stages(device) / bytes, kMost));
}

std::string no_warp_products(std::size_t bytes, const DeviceCapabilities& device) {
  constexpr int kLeast = 2;
  if (device.async_copy_memory == 0)
    return "the device has no asynchronous copies (NVIDIA's, from Ampere on)";
  return stages_that_fit(bytes, device) < kLeast ? "the device has too little local memory" : "";
}

std::string no_products(bool by_wgmma, std::size_t bytes, const DeviceCapabilities& device) {
  if (!by_wgmma) return no_warp_products(bytes, device);
  return device.has_wgmma ? "" : "the device has no wgmma (NVIDIA's Hopper)";
}

kernels::Rule stages_fit(std::size_t (*bytes)(const Parameters&),
                         std::vector<std::string> depends_on) {
  return {.text = "the stages leave 2 KiB of local memory",
          .holds =
              [bytes](const Parameters& p, const kernels::Target& target) {
                return bytes(p) <= room_for_stages(target.device());
              },
          .depends_on = std::move(depends_on)};
}

void enqueue_mapped(const Plan& plan, const Call& call, Submission& submission,
                    const MappedKernel& kernel) {
  constexpr cl_ulong kMaxExtent = cl_ulong{1} << 31;
  const Shape& shape = call.shape;
  if (std::max({shape.m, kernel.parts * shape.n, kernel.parts * shape.k}) >= kMaxExtent)
    throw UnsupportedError(plan.variant->full_name(), "an extent is 2^31 or more");
  for_each_product(call, [&](const Call& one) { enqueue_one(plan, one, submission, kernel); });
}

}  // namespace tessera::inline v0::multiplication
