// Interruption by a thread that waits for signals.
#include "platform/interruption.hpp"

#include <csignal>
#include <ctime>
#include <stop_token>
#include <thread>

namespace tessera::tool {

struct Interruption::Watch {
  Watch() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    waiter = std::jthread([this](const std::stop_token& over) {
      constexpr timespec kTick{0, 50'000'000};
      while (!over.stop_requested()) {
        if (::sigtimedwait(&signals, nullptr, &kTick) < 0) continue;
        source.cancel();
        ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
      }
    });
  }

  sigset_t signals;
  CancelSource source;
  std::jthread waiter;
};

Interruption::Interruption() : watch_(std::make_unique<Watch>()) {}
Interruption::~Interruption() = default;

CancelToken Interruption::token() const { return watch_->source.token(); }

}  // namespace tessera::tool
