// Process lock: held by one thread of the process at a time, whichever copy of the library it runs.
#pragma once

namespace tessera::inline v0::runtime {

/// Two libraries that contain Tessera may be loaded into one process, each with global objects of
/// its own. This lock is the kernel's: a file lock on /proc/self. Where there is none, it locks
/// nothing.
class ProcessLock {
 public:
  ProcessLock();
  ~ProcessLock();
  ProcessLock(const ProcessLock&) = delete;
  ProcessLock& operator=(const ProcessLock&) = delete;

 private:
  int file_;
};

}  // namespace tessera::inline v0::runtime
