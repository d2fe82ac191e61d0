// Interruption by a handler of the console's events.
#include "platform/interruption.hpp"

#include <windows.h>

#include <mutex>

namespace tessera::tool {
namespace {

/// The work that the first Ctrl-C ends: the handler has no argument.
struct Work {
  std::mutex mutex;
  CancelSource* source = nullptr;
};

Work& work() {
  static Work work;
  return work;
}

/// Returns FALSE if the program is to end. Runs in a thread of its own.
BOOL WINAPI cancel_work(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
  const std::lock_guard lock(work().mutex);
  if (work().source == nullptr) return FALSE;
  work().source->cancel();
  work().source = nullptr;
  return TRUE;
}

}  // namespace

struct Interruption::Watch {
  CancelSource source;
};

Interruption::Interruption() : watch_(std::make_unique<Watch>()) {
  const std::lock_guard lock(work().mutex);
  work().source = &watch_->source;
  ::SetConsoleCtrlHandler(nullptr, FALSE);
  ::SetConsoleCtrlHandler(cancel_work, TRUE);
}

Interruption::~Interruption() {
  ::SetConsoleCtrlHandler(cancel_work, FALSE);
  const std::lock_guard lock(work().mutex);
  work().source = nullptr;
}

CancelToken Interruption::token() const { return watch_->source.token(); }

}  // namespace tessera::tool
