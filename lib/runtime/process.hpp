// Process: OpenCL works in the process that first used it, not in one that was forked from it.
// Forks by a bare system call, which run no handlers, go unnoticed.
#pragma once

namespace tessera::inline v0::runtime {

/// Returns whether this process was forked after the first call of either function.
bool is_forked() noexcept;
/// Throws DeviceError if is_forked().
void check_process();

}  // namespace tessera::inline v0::runtime
