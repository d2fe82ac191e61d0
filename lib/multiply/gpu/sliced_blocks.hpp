// Variants whose kernels are cl/common/sliced_blocks.cl: work-items and work-groups split k.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/plan.hpp"
#include "multiply/call.hpp"
#include "multiply/gpu/stream_k.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::multiplication {

/// The parameters that decide the sharing and the local memory of such a kernel.
struct SlicedTiles {
  std::size_t tile_m = 0, tile_n = 0, tile_k = 0, stages = 2, groups_per_cu = 4, min_depth = 128;

  /// Numbers of all stages in local memory: the minimum, if no operand is contiguous along k, and
  /// the maximum.
  std::size_t min_numbers() const;
  std::size_t numbers() const;
};

/// Those among the parameters that are sizes.
SlicedTiles sliced_tiles(const Parameters& parameters);

/// Splits the blocks of `batch` products on a device of so many compute units.
StreamK sliced_k_work(const Shape& shape, std::size_t batch, const SlicedTiles& tiles,
                      std::size_t compute_units);

/// Numbers that differ between such variants, with given parameters.
struct SlicedKernel {
  std::size_t items_of_slice;  ///< work-items that compute a slice of a block
  std::size_t rows_of_band;    ///< BAND_ROWS of the kernel
  std::size_t steps_at_once;   ///< AT_ONCE
  std::size_t pad_across = 0;  ///< ACROSS_PAD
};

/// The parameters that all such variants have, with these edges of blocks.
std::vector<kernels::Parameter> sliced_parameters(std::vector<int> edges);

/// The rules that the division of tiles among work-items requires. The number of work-items depends
/// on the parameters in `group`, too.
std::vector<kernels::Rule> sliced_rules(SlicedKernel (*kernel)(const Parameters&),
                                        std::vector<std::string> group);

/// The build options that all such variants have.
std::string sliced_options(const char* variant, const SlicedKernel& kernel, const Parameters& p,
                           const kernels::Target& target);

/// Enqueues a call, all products of a batch in one launch. Throws UnsupportedError if n or k is
/// 2^31 or more.
void enqueue_sliced(const kernels::Plan& plan, const Call& call, runtime::Submission& submission);

}  // namespace tessera::inline v0::multiplication
