// Event: counted references to OpenCL events.
#include "tessera/event.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "runtime/opencl_error.hpp"
#include "runtime/process.hpp"

namespace tessera::inline v0 {
namespace {

template <class T>
T event_info(cl_event event, cl_event_info question) {
  T answer{};
  runtime::check(clGetEventInfo(event, question, sizeof answer, &answer, nullptr),
                 "clGetEventInfo");
  return answer;
}

/// A failed command has a negative status, which is more specific than the wait's own error.
bool ended(cl_event event) {
  const auto status = event_info<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  runtime::check(status < 0 ? status : CL_SUCCESS, "a command on the device");
  return status == CL_COMPLETE;
}

/// Polls briefly before sleeping, very briefly where the sleeper computes: waking a thread takes
/// longer than a small kernel on a CPU. Errors are left to the wait that follows.
void wait_awake(cl_event event, bool is_helped) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::microseconds(is_helped ? 1 : 100);
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

Event::Event(cl_event event) : event_(event) {
  if (event_ == nullptr) return;
  runtime::with_opencl_errors([&] { runtime::check(clRetainEvent(event_), "clRetainEvent"); });
}

Event::Event(const Event& other) : Event(other.event_) {
  is_helped_ = other.is_helped_;
  earlier_ = other.earlier_;
  others_ = other.others_;
}
Event::Event(Event&& other) noexcept
    : event_(std::exchange(other.event_, nullptr)),
      is_helped_(other.is_helped_),
      earlier_(std::move(other.earlier_)),
      others_(std::move(other.others_)) {}

Event& Event::operator=(Event other) noexcept {
  std::swap(event_, other.event_);
  std::swap(is_helped_, other.is_helped_);
  std::swap(earlier_, other.earlier_);
  std::swap(others_, other.others_);
  return *this;
}

Event::~Event() {
  if (event_ != nullptr) clReleaseEvent(event_);
}

void Event::wait() const {
  if (event_ == nullptr) return;
  runtime::check_process();
  runtime::with_opencl_errors(
      [&] {
        wait_awake(event_, is_helped_);
        const cl_int code = clWaitForEvents(1, &event_);
        complete();
        runtime::check(code, "clWaitForEvents");
      },
      [] { return std::string("waiting for an event"); });
}

bool Event::complete() const {
  if (event_ == nullptr) return true;
  if (!runtime::with_opencl_errors([&] { return ended(event_); })) return false;
  if (earlier_ != nullptr && !std::ranges::all_of(*earlier_, &Event::complete)) return false;
  // Those that it did not come from may still run.
  if (others_ != nullptr) {
    for (const Event& event : *others_) event.complete();
  }
  return true;
}

std::optional<double> seconds_between(const Event& first, const Event& last) {
  last.wait();
  if (first.handle() == nullptr || last.handle() == nullptr) return std::nullopt;
  return runtime::with_opencl_errors([&]() -> std::optional<double> {
    if (!has_profile(first.handle()) || !has_profile(last.handle())) return std::nullopt;
    return 1e-9 * static_cast<double>(time_of(last.handle(), CL_PROFILING_COMMAND_END) -
                                      time_of(first.handle(), CL_PROFILING_COMMAND_START));
  });
}

}  // namespace tessera::inline v0
