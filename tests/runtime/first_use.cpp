// The first use of OpenCL by several threads at once finds the devices in each: PoCL 3.1 has none
// for the others while it prepares itself for one.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <latch>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 8;

/// Counts the threads that find no device, in a process that has not used OpenCL before.
int threads_without_device() {
  std::latch all(kThreads);
  std::atomic<int> without = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; i++) {
      threads.emplace_back([&] {
        all.arrive_and_wait();
        if (tessera::devices().empty()) without++;
      });
    }
  }
  return without;
}

}  // namespace

int main() {
  constexpr int kProcesses = 5;
  int failed = 0;
  for (int i = 0; i < kProcesses; i++) {
    const pid_t child = fork();
    if (child == 0) _exit(threads_without_device());
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) failed++;
  }
  std::printf("%d processes of %d threads, %d of them failed\n", kProcesses, kThreads, failed);
  return failed == 0 ? 0 : 1;
}
