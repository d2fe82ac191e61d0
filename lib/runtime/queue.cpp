// Waiting for a queue, and reporting failures of its commands.
#include "runtime/queue.hpp"

#include <string>

#include "runtime/opencl_error.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

void Queue::note(const cl::Event& event) {
  pending_.push_back(event);
  // Drops up to two ended events for each new one, so that few are kept.
  for (int i = 0; i < 2 && !pending_.empty() && ended(pending_.front()); i++) pending_.pop_front();
}

void Queue::finish() {
  with_opencl_errors([&] { handle_.finish(); },
                     [] { return std::string("waiting for the device"); });
  report_failure();
}

void Queue::report_failure() {
  const std::lock_guard lock(enqueueing_);
  while (!pending_.empty() && ended(pending_.front())) pending_.pop_front();
  const cl_int failure = std::exchange(failure_, CL_SUCCESS);
  if (failure != CL_SUCCESS) throw OpenClError(failure, "a command on the device", "");
}

bool Queue::ended(const cl::Event& event) {
  cl_int status = CL_QUEUED;
  if (clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) !=
      CL_SUCCESS) {
    return false;
  }
  if (status < 0) failure_ = status;
  return status <= CL_COMPLETE;
}

}  // namespace tessera::inline v0::runtime
