// Watchdog: turns a deadlock into a failure.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <utility>

namespace tessera::test {

/// Runs `work()` in a thread of its own. Ends the process if `work()` does not return within two
/// minutes: a deadlocked thread cannot be joined.
template <class Work>
void watched(Work&& work) {
  auto running = std::async(std::launch::async, std::forward<Work>(work));
  if (running.wait_for(std::chrono::minutes(2)) != std::future_status::ready) {
    std::fputs("watchdog: deadlock\n", stderr);
    std::_Exit(1);
  }
  running.get();
}

}  // namespace tessera::test
