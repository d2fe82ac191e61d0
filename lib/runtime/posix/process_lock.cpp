// The process lock by flock().
#include "runtime/process_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace tessera::inline v0::runtime {

ProcessLock::ProcessLock() : lock_(::open("/proc/self", O_RDONLY | O_CLOEXEC)) {
  if (lock_ < 0) return;
  while (::flock(static_cast<int>(lock_), LOCK_EX) != 0 && errno == EINTR) {
  }
}

ProcessLock::~ProcessLock() {
  if (lock_ < 0) return;
  const int file = static_cast<int>(lock_);
  ::flock(file, LOCK_UN);  // closing is not enough: a child that was forked meanwhile has the file
  ::close(file);
}

}  // namespace tessera::inline v0::runtime
