// Products whose operands a kernel reads by tensor maps: in place, or from a copy if their layout
// does not suit.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "kernels/plan.hpp"
#include "multiply/call.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::multiplication {

/// Tiles of a kernel that reads its operands by tensor maps.
struct MappedTiles {
  std::size_t m, n, k;
  std::size_t number;         ///< bytes of a number in them
  std::size_t resident;       ///< work-groups that a compute unit runs at a time
  std::size_t min_saved = 1;  ///< steps along k that sharing a block has to save
  double alone = 0.6;  ///< fraction of full speed that one of several work-groups reaches alone
  /// Takes the place of min_saved where blocks nearly fill all waves: see stream_k().
  std::size_t min_saved_of_full = std::numeric_limits<std::size_t>::max();

  std::size_t alignment = 16;  ///< bytes; others than these rows of operands are copied first

  /// Bytes of a stage: a tile of each operand.
  constexpr std::size_t stage() const { return (m + n) * k * number; }
};

/// The square that a work-group of multiply_copy_operands copies at a time, with as many work-items
/// in dimension 0, and `rows` in dimension 1.
struct CopyTile {
  std::size_t edge = 64, rows = 4;
};

/// A kernel that reads its operands by tensor maps (cl/nvidia/tensor_maps.cl) and splits its work
/// among work-groups (cl/common/stream_k.cl).
struct MappedKernel {
  bool a_along_k, b_along_k;  ///< neighbours along k are adjacent in tiles
  MappedTiles tiles;
  std::size_t summers;  ///< work-items of a work-group that have sums
  std::size_t run;      ///< sums of a work-item that are stored at once
  CopyTile copy_tile = {};
  std::size_t slices = 1;  ///< of each operand (cl/nvidia/slices.cl)
  std::size_t parts = 1;  ///< numbers of an element: the kernel reads complex matrices as real ones
};

/// Products of two slices that make up a product of integers (cl/nvidia/slices.cl).
constexpr std::size_t pairs_of_slices(std::size_t slices) { return slices * (slices + 1) / 2; }

/// Why such a kernel does not run on a device; empty if it does.
std::string no_tensor_maps(const kernels::Target& target);

/// Bytes of local memory for the stages of a kernel, beside barriers and maps. A device with
/// asynchronous copies has more of it than its driver says.
std::size_t room_for_stages(const DeviceCapabilities& device);

/// Stages, up to 4, of `bytes` each, for a kernel that copies asynchronously and multiplies by
/// warps (cl/nvidia/warp_blocks.cl).
int stages_that_fit(std::size_t bytes, const DeviceCapabilities& device);
/// Why a kernel that multiplies by warps (cl/nvidia/warp_blocks.cl), with stages of `bytes`, does
/// not run on a device; empty if it does.
std::string no_warp_products(std::size_t bytes, const DeviceCapabilities& device);
/// The same of a kernel that multiplies by wgmma, or by warps.
std::string no_products(bool by_wgmma, std::size_t bytes, const DeviceCapabilities& device);

/// A rule: the stages of a kernel fit into that memory.
kernels::Rule stages_fit(std::size_t (*bytes)(const Parameters&),
                         std::vector<std::string> depends_on);

/// Enqueues each product of a call. The kernel reads operands in that order where they are stored
/// if their rows begin at multiples of 16 bytes. Others are copied first
/// (cl/nvidia/copied_side.cl). Throws UnsupportedError for extents of 2^31 and more.
void enqueue_mapped(const kernels::Plan& plan, const Call& call, runtime::Submission& submission,
                    const MappedKernel& kernel);

}  // namespace tessera::inline v0::multiplication
