// Enqueueing an operation's commands with the events before and after them.
#include "runtime/submission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "runtime/event_state.hpp"
#include "runtime/process.hpp"
#include "tessera/detail/access.hpp"

namespace tessera::inline v0::runtime {
namespace {

Event event_with(std::shared_ptr<const EventState> state) {
  return detail::Access::make<Event>(std::move(state));
}

}  // namespace

Submission::Submission(Stream& stream, std::vector<Operand> operands,
                       const std::vector<Event>& wait_for)
    : stream_(&stream), operands_(std::move(operands)) {
  lock();
  std::ranges::for_each(wait_for, [&](const Event& event) { this->wait_for(event); });
}

void Submission::lock() {
  if (lock_.owns_lock()) return;
  check_process();
  lock_ = std::unique_lock(stream_->commands().enqueueing());
  stream_->commands().enter();
  hold_operands();
  for (const Operand& operand : operands_)
    operand.memory->uses().dependencies(stream_->id(), operand.access, before_);
}

/// Records the commands since the last report as what others have to wait for. The caller flushes
/// the queue.
Event Submission::publish(std::shared_ptr<EventState> state) {
  Event all = commands(std::move(state));
  for (const Operand& operand : operands_)
    operand.memory->uses().record(stream_->id(), operand.access, all);
  stream_->commands().note(all);
  return all;
}

void Submission::unlock() {
  if (!lock_.owns_lock()) return;
  mark();
  if (last_() != nullptr) published_ = publish(state_of(last_));
  stream_->release_scratch();
  holds_.clear();
  lock_.unlock();
}

void Submission::hold_operands() {
  // Locks are taken in the order of their addresses, so that no two operations deadlock.
  const auto uses_of = [](const Operand& operand) { return &operand.memory->uses(); };
  std::ranges::sort(operands_, std::less<>(), uses_of);
  holds_.reserve(operands_.size());
  for (auto operand = operands_.begin(); operand != operands_.end();) {
    BufferUses* const uses = uses_of(*operand);
    // A buffer that is both read and written is locked once, for writing.
    bool writes = false;
    for (; operand != operands_.end() && uses_of(*operand) == uses; ++operand)
      writes = writes || operand->access == Access::write;
    if (writes) {
      holds_.emplace_back(std::unique_lock(uses->enqueueing()));
    } else {
      holds_.emplace_back(std::shared_lock(uses->enqueueing()));
    }
  }
}

void Submission::wait_for(const Event& event) {
  const auto& state = detail::Access::state(event);
  if (state == nullptr) return;
  const bool reports = !state->others.empty();  // which their own streams do
  before_.push_back(reports ? event_with(std::make_shared<EventState>(*state, std::vector<Event>()))
                            : event);
}

Submission::~Submission() {
  if (tally_ != nullptr) return;
  // The operation failed half-way: its enqueued commands still use the operands, on the host too.
  if (!finished_ && in_flight_ && clFinish(stream_->queue()()) != CL_SUCCESS) {
    for (auto& memory : host_memory_) static_cast<void>(memory.release());
  }
  if (lasting_ != 0) stream_->release_scratch(lasting_);
  if (lock_.owns_lock()) stream_->release_scratch();  // else it is another operation's
}

cl::Buffer Submission::scratch(std::uint64_t bytes, const std::string& what) {
  if (tally_ != nullptr) {
    tally_->bytes += bytes;
    return {};
  }
  lock();
  return stream_->scratch(bytes, what);
}

cl::Buffer Submission::lasting_scratch(std::uint64_t bytes, const std::string& what) {
  if (lasting_ == 0) lasting_ = stream_->context().scratch().new_holder();
  return stream_->scratch(bytes, what, lasting_);
}

cl::Image2D Submission::scratch_image(cl::ImageFormat format, std::size_t width, std::size_t height,
                                      const std::string& what) {
  if (tally_ != nullptr) {
    constexpr std::size_t kPixelBytes = 16;  // of every format that operations use
    tally_->bytes += kPixelBytes * width * height;
    return {};
  }
  lock();
  return stream_->scratch_image(format, width, height, what);
}

void Submission::enqueue(Kernel& kernel, const Grid& grid) {
  const auto& groups = grid.groups;
  const auto& group = grid.group;
  with_opencl_errors(
      [&] {
        stream_->queue().enqueueNDRangeKernel(
            kernel.handle, cl::NullRange,
            cl::NDRange(groups[0] * group[0], groups[1] * group[1], groups[2]),
            cl::NDRange(group[0], group[1], 1), nullptr, next_event_of_kernel());
      },
      [&] {
        const std::string third = groups[2] == 1 ? "" : fmt::format(" x {}", groups[2]);
        return fmt::format("kernel {} on {} x {}{} work-groups of {} x {}", kernel.name, groups[0],
                           groups[1], third, group[0], group[1]);
      });
}

void Submission::begin_command() {
  with_opencl_errors([&] { stream_->commands().mark(); },
                     [] { return std::string("marking the queue"); });
  if (!before_.empty()) wait_for_others();
  in_flight_ = true;
}

void Submission::keep_last() {
  if (last_() == nullptr) return;
  earlier_.push_back(event_with(state_of(last_)));
  if (handle_of(first_) == nullptr) first_ = earlier_.back();
}

cl::Event* Submission::next_event() {
  begin_command();
  keep_last();
  is_behind_ = false;
  return &last_;
}

cl::Event* Submission::next_event_of_kernel() {
  if (!stream_->commands().kernels_lack_events()) return next_event();
  begin_command();
  is_behind_ = true;
  return nullptr;
}

void Submission::mark() {
  if (!is_behind_) return;
  command([](const cl::CommandQueue& queue,
             cl::Event* event) { queue.enqueueMarkerWithWaitList(nullptr, event); },
          "marking the queue");
}

void Submission::wait_for_others() {
  // A late event would be behind commands that came after the operation.
  std::erase_if(before_, [](const Event& event) {
    const auto& state = detail::Access::state(event);
    return state != nullptr && state->lacks_event() && state->succeeded;
  });
  if (before_.empty()) return;
  stream_->commands().end_privacy();
  cl::Event barrier;
  with_opencl_errors(
      [&] {
        std::vector<cl_event> handles;
        std::ranges::transform(before_, std::back_inserter(handles), handle_of);
        check(clEnqueueBarrierWithWaitList(stream_->queue()(), static_cast<cl_uint>(handles.size()),
                                           handles.data(), &barrier()),
              "clEnqueueBarrierWithWaitList");
      },
      [] { return std::string("waiting for other streams"); });
  earlier_.push_back(event_of(barrier()));
  for (const Event& event : std::exchange(before_, {})) {
    stream_->commands().note(event);
    awaited_.push_back(event);
  }
}

std::shared_ptr<EventState> Submission::state_of(cl::Event command) const {
  return std::make_shared<EventState>(std::move(command),
                                      waits_awake(stream_->context().device().info));
}

Event Submission::last() {
  mark();
  return event_with(state_of(last_));
}

Event Submission::commands(std::shared_ptr<EventState> all) {
  all->earlier = std::exchange(earlier_, {});
  return event_with(std::move(all));
}

void Submission::read_async(const cl::Buffer& from, std::size_t offset, std::span<std::byte> to,
                            const std::string& doing) {
  enqueue_read(from, offset, to, false, doing);
}

void Submission::read(const cl::Buffer& from, std::size_t offset, std::span<std::byte> to,
                      const std::string& doing) {
  try {
    enqueue_read(from, offset, to, true, doing);
  } catch (const OpenClError&) {
    stream_->report_failure();  // names the command that failed
    throw;
  }
  report_failure();
  in_flight_ = false;  // a read that failed may have returned before the commands ended
}

// Enqueues without the lock, because drivers may wait even if they are not asked to. The memory
// belongs to this operation.
void Submission::enqueue_read(const cl::Buffer& from, std::size_t offset, std::span<std::byte> to,
                              bool waits, const std::string& doing) {
  with_opencl_errors(
      [&] {
        unlock();
        stream_->queue().enqueueReadBuffer(from, waits ? CL_TRUE : CL_FALSE, offset, to.size(),
                                           to.data(), nullptr, next_event());
      },
      [&] { return doing; });
}

void Submission::report_failure() {
  const Event own = commands(state_of(last_));
  stream_->commands().note(own);
  stream_->report_failure();
  // While the stream was unlocked, another thread may have reported the failure. Runtimes may run
  // commands although an event that the commands waited for has failed.
  for (const Event& event : std::exchange(awaited_, {})) event.complete();
  published_.complete();
  own.complete();
}

void Submission::report_others() { others_ = stream_->pending(); }

/// Leaves the event of the commands to the first that needs it.
Event Submission::publish_without_event() {
  keep_last();
  auto all = std::make_shared<EventState>(stream_->commands().shared_handle());
  stream_->commands().mark_later(all);
  return publish(std::move(all));
}

std::pair<Event, Event> Submission::finish() {
  const bool marks_later = is_behind_ && lock_.owns_lock() && stream_->commands().is_private();
  if (!marks_later) {
    if (last_() == nullptr) is_behind_ = true;
    mark();
  }
  return with_opencl_errors(
      [&] {
        if (lock_.owns_lock()) stream_->queue().flush();
        // The driver need not retain and release an event that is moved.
        Event all = marks_later         ? publish_without_event()
                    : lock_.owns_lock() ? publish(state_of(std::move(last_)))
                                        : commands(state_of(std::move(last_)));
        Event first = handle_of(first_) != nullptr ? first_ : all;
        if (!others_.empty())
          all = event_with(
              std::make_shared<EventState>(*detail::Access::state(all), std::move(others_)));
        finished_ = true;
        return std::pair(std::move(first), std::move(all));
      },
      [] { return std::string("flushing the queue"); });
}

}  // namespace tessera::inline v0::runtime
