// Once: what the first of several threads does for all of them.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

namespace tessera::inline v0::runtime {

/// Like std::call_once() with its flag: a call that throws leaves it to the next one. That hangs
/// after an exception where pthread_once() is not made for it, as under the thread sanitizer.
class Once {
 public:
  template <class Function>
  void call(Function&& function) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    std::forward<Function>(function)();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> done_ = false;
};

}  // namespace tessera::inline v0::runtime
