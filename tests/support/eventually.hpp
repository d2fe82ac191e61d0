// Waiting for a runtime that is a little late: it may release objects after it has reported that
// all commands ended.
#pragma once

#include <chrono>
#include <thread>

namespace tessera::test {

/// Returns whether `condition` becomes true within ten seconds.
template <class Condition>
bool eventually(Condition condition) {
  for (int turn = 0; turn < 10000 && !condition(); turn++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

}  // namespace tessera::test
