// Detects a fork by a handler that runs in the child: getpid() at every call would cost as much as
// setting a kernel argument.
#include "runtime/process.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

namespace {

std::atomic<bool> forked = false;

/// The process of the first call; from then on a child that is forked sets `forked`, if the handler
/// could be set.
struct First {
  pid_t process = ::getpid();
  bool is_watched = ::pthread_atfork(nullptr, nullptr,
                                     [] { forked.store(true, std::memory_order_relaxed); }) == 0;
};

const First& first() noexcept {
  static const First at;
  return at;
}

}  // namespace

bool is_forked() noexcept {
  return first().is_watched ? forked.load(std::memory_order_relaxed)
                            : ::getpid() != first().process;
}

void check_process() {
  if (!is_forked()) return;
  throw DeviceError(
      ErrorCode::forked_process,
      fmt::format(
          "this process was forked from {}, which had used OpenCL: the runtime's threads are "
          "not in it, and calls would hang; use OpenCL after fork() alone",
          first().process));
}

}  // namespace tessera::inline v0::runtime
