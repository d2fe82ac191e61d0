// Process: OpenCL works in the process that first used it, not in one that was forked from it.
#pragma once

namespace tessera::inline v0::runtime {

/// Throws DeviceError in a process that was forked after the first call.
void check_process();

}  // namespace tessera::inline v0::runtime
