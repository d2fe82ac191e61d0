// Queue: an in-order command queue that remembers what failed on it.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/opencl.hpp"
#include "tessera/error.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

class Queue {
 public:
  explicit Queue(cl::CommandQueue handle) : handle_(std::move(handle)) {}

  const cl::CommandQueue& handle() const { return handle_; }

  /// Held while an operation enqueues its commands.
  std::mutex& enqueueing() { return enqueueing_; }
  /// Remembers an operation, or what one waits for, until it has ended.
  void note(const Event& event);

  /// Waits for all commands. Throws OpenClError if one of them has failed since the last report.
  void finish();
  /// The same for the commands that have ended, without waiting.
  void report_failure();
  /// The failure that report_failure() would throw.
  std::optional<OpenClError> failure();
  /// Whether a command has failed since the last call.
  bool broke_off() { return broke_off_.exchange(false); }
  /// Whether all commands have ended and every failure was reported.
  bool idle();
  /// What has not ended yet. Throws OpenClError if a command has failed since the last report,
  /// which this is one of if it `reports`.
  std::vector<Event> pending(bool reports);

 private:
  /// Whether `event` has ended. Stores its failure if it failed, or if that cannot be known.
  bool ended(const Event& event);
  void drop_ended();
  void wait_for_unfinished();

  cl::CommandQueue handle_;
  std::mutex enqueueing_;
  std::mutex mutex_;           // of what follows
  std::deque<Event> pending_;  // in the order of their notes
  std::atomic<bool> broke_off_ = false;
  std::optional<OpenClError> failure_;
};

}  // namespace tessera::inline v0::runtime
