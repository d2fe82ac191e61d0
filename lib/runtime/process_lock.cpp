// The process lock by flock().
#include "runtime/process_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace tessera::inline v0::runtime {

ProcessLock::ProcessLock() : file_(::open("/proc/self", O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) return;
  while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

ProcessLock::~ProcessLock() {
  if (file_ < 0) return;
  ::flock(file_, LOCK_UN);  // closing is not enough: a child that was forked meanwhile has the file
  ::close(file_);
}

}  // namespace tessera::inline v0::runtime
