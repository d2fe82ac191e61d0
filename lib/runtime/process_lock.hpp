// Process lock: held by one thread of the process at a time, whichever copy of the library it runs.
#pragma once

#include <cstdint>

namespace tessera::inline v0::runtime {

/// Two libraries that contain Tessera may be loaded into one process, each with global objects of
/// its own. The operating system holds this lock: a file lock on /proc/self, or a mutex that is
/// named after the process. If that cannot be opened, nothing is locked.
class ProcessLock {
 public:
  ProcessLock();
  ~ProcessLock();
  ProcessLock(const ProcessLock&) = delete;
  ProcessLock& operator=(const ProcessLock&) = delete;

 private:
  std::intptr_t lock_;  // a file descriptor or a handle
};

}  // namespace tessera::inline v0::runtime
