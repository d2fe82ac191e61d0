// A worker's life on Windows. Its parent's job object ends it with its parent: see subprocess.cpp.
#include "runtime/worker_life.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <iostream>

namespace tessera::inline v0::runtime {

void begin_worker_life() {
  ::SetConsoleCtrlHandler(nullptr, TRUE);  // ignores Ctrl-C: the parent ends the worker
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  ::_setmode(0, _O_BINARY);
  std::ios::sync_with_stdio(false);  // a thread that waits for input holds no lock of stdio's
}

void end_with_parent() {}

void end_after(unsigned seconds) {
  static HANDLE timer = nullptr;
  if (timer != nullptr) ::DeleteTimerQueueTimer(nullptr, timer, nullptr);
  timer = nullptr;
  constexpr UINT kStatus = 142;  // a shell's status of SIGALRM
  const auto end = [](void*, BOOLEAN) { ::TerminateProcess(::GetCurrentProcess(), kStatus); };
  if (seconds > 0)
    ::CreateTimerQueueTimer(&timer, nullptr, end, nullptr, 1000 * seconds, 0,
                            WT_EXECUTEINTIMERTHREAD);
}

int take_standard_output() {
  const int file = ::_dup(1);
  ::_dup2(2, 1);
  ::_setmode(file, _O_BINARY);
  ::SetHandleInformation(reinterpret_cast<HANDLE>(::_get_osfhandle(file)), HANDLE_FLAG_INHERIT, 0);
  return file;
}

}  // namespace tessera::inline v0::runtime
