// Interruption: ends long work at the first Ctrl-C, the program at the second.
#pragma once

#include <csignal>
#include <ctime>
#include <stop_token>
#include <tessera/cancellation.hpp>
#include <thread>

namespace tessera::tool {

/// Lives before any other thread does, so that all inherit that the signals are blocked.
class Interruption {
 public:
  Interruption() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    waiter_ = std::jthread([this](const std::stop_token& over) {
      constexpr timespec kTick{0, 50'000'000};
      while (!over.stop_requested()) {
        if (::sigtimedwait(&signals_, nullptr, &kTick) < 0) continue;
        source_.cancel();
        ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
      }
    });
  }
  CancelToken token() const { return source_.token(); }

 private:
  sigset_t signals_;
  CancelSource source_;
  std::jthread waiter_;
};

}  // namespace tessera::tool
