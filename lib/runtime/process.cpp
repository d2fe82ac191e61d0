// The process is remembered by the first call.
#include "runtime/process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

namespace {

pid_t first_process() noexcept {
  static const pid_t first = ::getpid();
  return first;
}

}  // namespace

bool is_forked() noexcept { return ::getpid() != first_process(); }

void check_process() {
  if (!is_forked()) return;
  throw DeviceError(fmt::format(
      "this process was forked from {}, which had used OpenCL: the runtime's threads are "
      "not in it, and calls would hang; use OpenCL after fork() alone",
      first_process()));
}

}  // namespace tessera::inline v0::runtime
