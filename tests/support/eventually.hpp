// Waiting for what a runtime does a little late: it may release objects after it said that all is
// done.
#pragma once

#include <chrono>
#include <thread>

namespace tessera::test {

/// Does `condition` come true within ten seconds?
template <class Condition>
bool eventually(Condition condition) {
  for (int turn = 0; turn < 10000 && !condition(); turn++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

}  // namespace tessera::test
