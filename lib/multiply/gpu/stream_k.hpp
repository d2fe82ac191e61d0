// Stream-K: splits the steps of a product's blocks among a GPU's work-groups.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "kernels/plan.hpp"
#include "multiply/call.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::multiplication {

// Work in cl/common/stream_k.cl.
struct StreamK {
  cl_uint down, across, steps, shared = 0, sharers = 0, share = 0, more = 0, parts = 0;
  cl_uint last_joins = 0;

  /// True if another launch has to add up the sums of shared blocks.
  bool needs_join() const { return shared > 0 && last_joins == 0; }
  /// Work-groups that are launched.
  std::size_t groups(std::size_t slots) const {
    return std::max<std::size_t>(sharers, std::min(std::size_t{down} * across - shared, slots));
  }
};

/// Blocks of C, `down` x `across` of them with `steps` steps each, on a device that runs `slots`
/// work-groups at a time. No steps count as one, which adds nothing. If the blocks do not fill the
/// device, they are shared only if that saves each work-group `min_saved` steps, and if they nearly
/// fill all waves, `min_saved_of_full`.
StreamK stream_k(std::size_t down, std::size_t across, std::size_t steps, std::size_t slots,
                 std::size_t min_saved = 1,
                 std::size_t min_saved_of_full = std::numeric_limits<std::size_t>::max());

/// All blocks, split among so many work-groups, at most one per step.
StreamK shared_by(std::size_t down, std::size_t across, std::size_t steps, std::size_t sharers);

/// True if the last sharer of each shared block can add up the sums of all sharers, and is faster
/// than another launch. It is slower if a block has many sharers for each of its `joiners`.
bool can_join_last(const StreamK& work, const DeviceCapabilities& device, std::size_t joiners = 1);

/// The same work, in which last sharers join if they can.
StreamK joined_where_it_can(StreamK work, runtime::Stream& stream, std::size_t joiners = 1);

/// Memory for the sums of parts of blocks, each of `numbers` numbers; any where none is shared.
cl::Buffer memory_of_sums(const kernels::Plan& plan, const Call& call, const StreamK& work,
                          std::size_t numbers, runtime::Submission& submission);

}  // namespace tessera::inline v0::multiplication
