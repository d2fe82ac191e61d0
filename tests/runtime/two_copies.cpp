// Two copies of the library in one process find the devices at the same time: PoCL crashes if both
// are the first to ask.
//   two_copies COPY    a shared object of copy.cpp
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <latch>
#include <tessera/tessera.hpp>
#include <thread>

namespace {

using CountDevices = int (*)();

/// 0 if both copies find devices; in a process that has not used OpenCL before.
int begin_both(const char* path) {
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::printf("%s\n", dlerror());
    return 2;
  }
  const auto of_copy = reinterpret_cast<CountDevices>(dlsym(plugin, "devices_of_copy"));
  std::latch both(2);
  int theirs = 0, ours = 0;
  {
    const std::jthread other([&] {
      both.arrive_and_wait();
      theirs = of_copy();
    });
    both.arrive_and_wait();
    ours = static_cast<int>(tessera::devices().size());
  }
  return ours > 0 && theirs > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  constexpr int kProcesses = 10;
  int failed = 0;
  for (int i = 0; i < kProcesses; i++) {
    const pid_t child = fork();
    if (child == 0) _exit(begin_both(argv[1]));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) failed++;
  }
  std::printf("%d processes with two copies, %d of them failed\n", kProcesses, failed);
  return failed == 0 ? 0 : 1;
}
