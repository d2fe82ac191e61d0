// A worker's life by signals.
#include "runtime/worker_life.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

namespace tessera::inline v0::runtime {

void begin_worker_life() {
  std::signal(SIGINT, SIG_IGN);  // the parent ends the worker
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

void end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

void end_after(unsigned seconds) { ::alarm(seconds); }

int take_standard_output() {
  const int file = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return file;
}

}  // namespace tessera::inline v0::runtime
