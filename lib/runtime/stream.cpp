// Making queues, allocating memory.
#include "runtime/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::runtime {
namespace {

cl::CommandQueue new_queue(const Context& context) {
  const cl_command_queue_properties properties =
      context.profiling() ? CL_QUEUE_PROFILING_ENABLE : 0;
  return cl::CommandQueue(context.handle(), context.device().handle, properties);
}

}  // namespace

Stream::Stream(std::shared_ptr<Context> context) : Stream(context, new_queue(*context)) {}

Stream::Stream(std::shared_ptr<Context> context, cl::CommandQueue queue)
    : context_(std::move(context)),
      id_(context_->new_stream_id()),
      queue_(std::move(queue)),
      scratch_(*context_, queue_) {}

std::shared_ptr<Memory> Stream::allocate(std::uint64_t bytes, const std::string& what) {
  // A matrix without elements has memory too, so that every kernel has something to be given.
  bytes = std::max<std::uint64_t>(bytes, 64);
  return with_opencl_errors(
      [&] {
        if (!context_->budget().fits(bytes)) {
          const std::lock_guard lock(mutex_);
          scratch_.make_room();
        }
        auto reservation = context_->budget().reserve(bytes, what);
        cl::Buffer buffer(context_->handle(), CL_MEM_READ_WRITE, bytes);
        release_with(buffer(), std::move(reservation));
        return std::make_shared<Memory>(std::move(buffer));
      },
      [&] { return fmt::format("allocating {} bytes for {}", bytes, what); });
}

void Stream::finish() {
  with_opencl_errors([&] { queue_.finish(); },
                     [] { return std::string("waiting for the device"); });
  tell_failure();
}

void Stream::note(const cl::Event& event) {
  pending_.push_back(event);
  // More end than begin, so that few are kept.
  for (int i = 0; i < 2 && !pending_.empty() && ended(pending_.front()); i++) pending_.pop_front();
}

void Stream::tell_failure() {
  const std::lock_guard lock(mutex_);
  while (!pending_.empty() && ended(pending_.front())) pending_.pop_front();
  const cl_int failure = std::exchange(failure_, CL_SUCCESS);
  if (failure != CL_SUCCESS) throw OpenClError(failure, "a command on the device", "");
}

bool Stream::ended(const cl::Event& event) {
  cl_int status = CL_QUEUED;
  if (clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) !=
      CL_SUCCESS) {
    return false;
  }
  if (status < 0) failure_ = status;
  return status <= CL_COMPLETE;
}

}  // namespace tessera::inline v0::runtime
