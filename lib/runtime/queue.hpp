// Queue: an in-order command queue that remembers what failed on it.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
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

  /// Remembers that an application enqueues commands too. From then on, operations enqueue their
  /// events at once.
  void share() { is_shared_ = true; }
  bool is_shared() const { return is_shared_; }

  /// Held while an operation enqueues its commands.
  std::mutex& enqueueing() { return enqueueing_; }
  /// The operation that was enqueued last has no event yet. With enqueueing() locked.
  void mark_later(std::weak_ptr<const EventState> last) { unmarked_ = std::move(last); }
  /// Gives that operation an event, unless it has ended or no event of it exists. To be
  /// called before another command, with enqueueing() locked.
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
  std::atomic<bool> kernels_lack_events_ = false, is_shared_ = false;
  std::mutex enqueueing_;
  std::weak_ptr<const EventState> unmarked_;  // guarded by enqueueing_
  std::mutex mutex_;                          // guards pending_ and failure_
  std::deque<Event> pending_;                 // in the order of their notes
  std::atomic<bool> broke_off_ = false;
  std::optional<OpenClError> failure_;
};

}  // namespace tessera::inline v0::runtime
