// Queue: an in-order command queue that remembers what failed on it.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/opencl.hpp"
#include "tessera/error.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

struct EventState;

class Queue {
 public:
  explicit Queue(cl::CommandQueue handle)
      : handle_(std::make_shared<const cl::CommandQueue>(std::move(handle))) {}

  const cl::CommandQueue& handle() const { return *handle_; }
  /// Events share the handle, because they may outlive this object. They have no references of
  /// their own to the driver's queue: NVIDIA's driver takes microseconds to release one.
  const std::shared_ptr<const cl::CommandQueue>& shared_handle() const { return handle_; }
  /// Kernels need no events of their own: fails_as_a_whole() is true of the device, and events have
  /// no times.
  void let_kernels_lack_events() { kernels_lack_events_ = true; }
  bool kernels_lack_events() const { return kernels_lack_events_; }

  /// Returns whether the calling thread's operations have enqueued all commands, and none waited
  /// for another queue or for the application. Then an operation may get its event late: nothing
  /// else can be between its commands and the thread's wait.
  bool is_private() const {
    return is_private_ && (thread_ == std::thread::id() || thread_ == std::this_thread::get_id());
  }
  void end_privacy() { is_private_ = false; }
  /// Remembers the calling thread, which begins an operation with enqueueing() locked.
  void enter();

  /// Held while an operation enqueues its commands.
  std::mutex& enqueueing() { return enqueueing_; }
  /// Remembers the operation that was enqueued last, which has no event yet.
  void mark_later(std::weak_ptr<const EventState> last);
  /// Gives that operation an event, unless it has succeeded or nothing refers to it. To be called
  /// before another command.
  void mark();
  /// Remembers an operation, or what one waits for, until it has ended.
  void note(const Event& event);

  /// Waits for all commands. Throws OpenClError if one of them has failed since the last report.
  void finish();
  /// The same for the commands that have ended, without waiting.
  void report_failure();
  /// Waits for all commands. Returns whether they have ended, failed or not. Reports nothing.
  bool has_ended();
  /// The failure that report_failure() would throw.
  std::optional<OpenClError> failure();
  /// Returns whether a failure was found since the last call.
  bool broke_off() { return broke_off_.exchange(false); }
  /// Returns whether all commands have ended and every failure was reported.
  bool idle();
  /// Returns the operations that have not ended. Throws OpenClError if a command has failed since
  /// the last report; this counts as a report if `reports`.
  std::vector<Event> pending(bool reports);

 private:
  /// Returns whether `event` has ended. Stores its failure, or the failure to query its status.
  bool ended(const Event& event);
  void drop_ended();
  void wait_for_unfinished();

  std::shared_ptr<const cl::CommandQueue> handle_;
  std::atomic<bool> kernels_lack_events_ = false, is_private_ = true;
  std::atomic<std::thread::id> thread_;  // that enqueued the first command
  std::mutex enqueueing_;
  std::mutex unmarked_mutex_;
  std::weak_ptr<const EventState> unmarked_;
  std::mutex mutex_;           // guards pending_ and failure_
  std::deque<Event> pending_;  // in the order of their notes
  std::atomic<bool> broke_off_ = false;
  std::optional<OpenClError> failure_;
};

}  // namespace tessera::inline v0::runtime
