// Event: waiting, and what failed.
#include "tessera/event.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "runtime/event_state.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/process.hpp"
#include "tessera/detail/access.hpp"

namespace tessera::inline v0 {
namespace {

template <class T>
T event_info(cl_event event, cl_event_info question) {
  T answer{};
  runtime::check(clGetEventInfo(event, question, sizeof answer, &answer, nullptr),
                 "clGetEventInfo");
  return answer;
}

/// Polls briefly, before a sleep that takes longer than a small kernel to end. Errors are left to
/// the wait that follows.
void poll(cl_event event) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::microseconds(100);
  do {
    cl_int status = CL_COMPLETE;
    if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) !=
            CL_SUCCESS ||
        status <= CL_COMPLETE)
      return;
    std::this_thread::yield();
  } while (Clock::now() < end);
}

cl_ulong time_of(cl_event event, cl_profiling_info when) {
  cl_ulong nanoseconds = 0;
  runtime::check(clGetEventProfilingInfo(event, when, sizeof nanoseconds, &nanoseconds, nullptr),
                 "clGetEventProfilingInfo");
  return nanoseconds;
}

bool has_profile(cl_event event) {
  const auto queue = event_info<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE);
  if (queue == nullptr) return false;  // a user event
  cl_command_queue_properties properties = 0;
  runtime::check(
      clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
      "clGetCommandQueueInfo");
  return (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

}  // namespace

bool runtime::ended(cl_event event) {
  const auto status = event_info<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  check(status < 0 ? status : CL_SUCCESS, "a command on the device");
  return status == CL_COMPLETE;
}

void runtime::EventState::mark() const {
  if (!lacks_event_) return;
  check_process();
  const std::lock_guard lock(mutex_);
  if (!lacks_event_) return;
  if (succeeded) {
    cl::UserEvent completed(queue_->getInfo<CL_QUEUE_CONTEXT>());
    completed.setStatus(CL_COMPLETE);
    handle_ = completed;
  } else {
    queue_->enqueueMarkerWithWaitList(nullptr, &handle_);
  }
  const auto queue = std::exchange(queue_, nullptr);
  lacks_event_ = false;
  queue->flush();
}

bool runtime::EventState::finish_queue() const {
  if (thread_ != std::this_thread::get_id()) return false;
  std::shared_ptr<const cl::CommandQueue> queue;
  {
    const std::lock_guard lock(mutex_);
    queue = queue_;
  }
  if (queue == nullptr || clFinish((*queue)()) != CL_SUCCESS) return false;
  succeeded = true;
  return true;
}

void runtime::EventState::note_end_of(const cl::CommandQueue& queue) const {
  const std::lock_guard lock(mutex_);
  if (queue_ != nullptr && (*queue_)() == queue()) succeeded = true;
}

Event runtime::event_of(cl_event handle) {
  if (handle == nullptr) return {};
  return with_opencl_errors([&] {
    return detail::Access::make<Event>(
        std::make_shared<const EventState>(cl::Event(handle, true), true));
  });
}

cl_event runtime::handle_of(const Event& event) {
  const auto& state = detail::Access::state(event);
  return state != nullptr ? state->handle() : nullptr;
}

void Event::wait() const {
  if (state_ == nullptr) return;
  runtime::check_process();
  if (state_->succeeded) return;
  runtime::with_opencl_errors(
      [&] {
        if (state_->finish_queue()) return;
        if (state_->polls) poll(state_->handle());
        // For the last: where an earlier one failed, a wait for all may end while others run.
        const cl_event last = state_->handle();
        const cl_int code = clWaitForEvents(1, &last);
        // A command that failed says more than the wait's own error, see ended().
        complete();
        runtime::check(code, "clWaitForEvents");
      },
      [] { return std::string("waiting for an event"); });
}

bool Event::complete() const {
  if (state_ == nullptr || state_->succeeded) return true;
  if (!runtime::with_opencl_errors([&] { return runtime::ended(state_->handle()); })) return false;
  if (!std::ranges::all_of(state_->earlier, &Event::complete)) return false;
  // They need not have ended: the command does not depend on all of them.
  for (const Event& event : state_->others) event.complete();
  state_->succeeded = state_->others.empty();
  return true;
}

std::optional<double> seconds_between(const Event& first, const Event& last) {
  last.wait();
  for (const Event* event : {&first, &last}) {
    const auto& state = detail::Access::state(*event);
    if (state != nullptr && state->lacks_event()) return std::nullopt;
  }
  return runtime::with_opencl_errors([&]() -> std::optional<double> {
    const cl_event begin = runtime::handle_of(first), end = runtime::handle_of(last);
    if (begin == nullptr || end == nullptr) return std::nullopt;
    if (!has_profile(begin) || !has_profile(end)) return std::nullopt;
    return 1e-9 * static_cast<double>(time_of(end, CL_PROFILING_COMMAND_END) -
                                      time_of(begin, CL_PROFILING_COMMAND_START));
  });
}

}  // namespace tessera::inline v0
