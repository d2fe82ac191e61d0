// Event state: the state that all copies of an event share.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/opencl.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

struct EventState {
  EventState(cl::Event event, bool polls_first) : polls(polls_first), handle_(std::move(event)) {}
  /// Kernels without events, which the calling thread has enqueued; see mark().
  explicit EventState(std::shared_ptr<const cl::CommandQueue> queue) : queue_(std::move(queue)) {}
  /// The same command, which reports `those` too.
  EventState(const EventState& command, std::vector<Event> those)
      : polls(command.polls),
        earlier(command.earlier),
        others(std::move(those)),
        handle_(command.handle(), true) {}

  /// The event of the last command. Throws cl::Error if it has none yet and gets none.
  cl_event handle() const {
    mark();
    return handle_();
  }
  bool lacks_event() const { return lacks_event_; }
  /// Gives commands without an event one: a marker behind them, or a completed event if they have
  /// succeeded. Unless they have, the queue gets no other command before this call.
  void mark() const;
  /// If the commands have no event, and the calling thread has enqueued them, waits for the whole
  /// queue. Returns whether it did, and the commands have succeeded.
  bool finish_queue() const;
  /// Remembers that the commands have succeeded, if they have no event and are of this queue, which
  /// has ended.
  void note_end_of(const cl::CommandQueue& queue) const;

  bool polls = false;          ///< before it sleeps: see runtime::waits_awake()
  std::vector<Event> earlier;  ///< the operation's other commands
  std::vector<Event> others;   ///< operations whose failures it reports too
  /// All commands are known to have succeeded: their status is not queried again.
  mutable std::atomic<bool> succeeded = false;

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const cl::CommandQueue> queue_;  // null with an event
  mutable std::atomic<bool> lacks_event_ = queue_ != nullptr;
  mutable cl::Event handle_;
};

/// Retains `handle`; an empty event for null.
Event event_of(cl_event handle);
/// Null for an empty event.
cl_event handle_of(const Event& event);

/// Returns whether a command has ended. Throws cl::Error with its status if it failed. Check this
/// after a wait too: the wait's own error says less, and NVIDIA's driver gives none.
bool ended(cl_event event);

}  // namespace tessera::inline v0::runtime
