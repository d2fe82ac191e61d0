// A forked process is told by a handler that runs in it: asking the system at every call would cost
// a call as much as a kernel argument.
#include "runtime/process.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

namespace {

std::atomic<bool> forked = false;

/// The process of the first call, in which `forked` is watched from then on.
pid_t first_process() noexcept {
  static const pid_t first = [] {
    ::pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
    return ::getpid();
  }();
  return first;
}

}  // namespace

bool is_forked() noexcept {
  first_process();
  return forked.load(std::memory_order_relaxed);
}

void check_process() {
  if (!is_forked()) return;
  throw DeviceError(fmt::format(
      "this process was forked from {}, which had used OpenCL: the runtime's threads are "
      "not in it, and calls would hang; use OpenCL after fork() alone",
      first_process()));
}

}  // namespace tessera::inline v0::runtime
