// Splits the blocks of the last wave, and of the wave before if there is one.
#include "multiply/gpu/stream_k.hpp"

#include <algorithm>
#include <limits>

#include "multiply/enqueue.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::multiplication {

namespace {

StreamK share(StreamK work, std::size_t shared, std::size_t sharers) {
  const std::size_t all = shared * work.steps;
  work.shared = static_cast<cl_uint>(shared);
  work.sharers = static_cast<cl_uint>(sharers);
  work.share = static_cast<cl_uint>(all / sharers);
  work.more = static_cast<cl_uint>(all % sharers);
  if (work.more == 0 && work.steps % work.share == 0) work.parts = work.steps / work.share;
  return work;
}

}  // namespace

StreamK stream_k(std::size_t down, std::size_t across, std::size_t steps, std::size_t slots,
                 std::size_t min_saved, std::size_t min_saved_of_full) {
  steps = std::max<std::size_t>(steps, 1);
  // Waves are full if more than this fraction of their slots is busy.
  constexpr double kBusyEnough = 0.92;
  constexpr std::size_t kMinSteps = 4;  // of a sharer
  const std::size_t blocks = down * across, whole_waves = blocks / slots, rest = blocks % slots;
  StreamK work{static_cast<cl_uint>(down), static_cast<cl_uint>(across),
               static_cast<cl_uint>(steps)};
  const double busy =
      static_cast<double>(blocks) / static_cast<double>(operands::round_up(blocks, slots));
  const std::size_t shared = whole_waves > 0 ? rest + slots : rest, all = shared * steps,
                    sharers = std::min(slots, all / kMinSteps);
  if (sharers == 0 || all > std::numeric_limits<cl_uint>::max()) return work;
  // Sharing costs a launch or the last sharers' time, and the traffic of partial sums.
  const std::size_t longest = operands::divide_up(shared, slots) * steps,
                    saved = longest - std::min(longest, operands::divide_up(all, sharers)),
                    least = busy > kBusyEnough ? min_saved_of_full
                            : whole_waves > 0  ? 1
                                               : min_saved;
  return saved >= least ? share(work, shared, sharers) : work;
}

StreamK shared_by(std::size_t down, std::size_t across, std::size_t steps, std::size_t sharers) {
  const StreamK work{static_cast<cl_uint>(down), static_cast<cl_uint>(across),
                     static_cast<cl_uint>(steps)};
  return share(work, down * across, std::min(sharers, down * across * steps));
}

bool can_join_last(const StreamK& work, const DeviceCapabilities& device, std::size_t joiners) {
  constexpr std::size_t kMaxParts = 10;
  return device.has_device_fence && work.shared > 0 && work.shared <= runtime::Stream::kCounters &&
         work.steps <= kMaxParts * joiners * work.share;
}

StreamK joined_where_it_can(StreamK work, runtime::Stream& stream, std::size_t joiners) {
  if (work.shared > 0 && can_join_last(work, runtime::capabilities(stream), joiners))
    work.last_joins = 1;
  return work;
}

cl::Buffer memory_of_sums(const kernels::Plan& plan, const Call& call, const StreamK& work,
                          std::size_t numbers, runtime::Submission& submission) {
  if (work.shared == 0) return submission.stream().counters();
  const std::size_t places = 2 * std::size_t{work.sharers};
  return submission.scratch(places * numbers * call.number_size(), plan.variant->full_name());
}

}  // namespace tessera::inline v0::multiplication
