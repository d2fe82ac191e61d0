// The process is remembered by the first call.
#include "runtime/process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

void check_process() {
  static const pid_t first = ::getpid();
  if (::getpid() == first) return;
  throw DeviceError(fmt::format(
      "this process was forked from {}, which had used OpenCL: the runtime's threads are "
      "not in it, and calls would hang; use OpenCL after fork() alone",
      first));
}

}  // namespace tessera::inline v0::runtime
