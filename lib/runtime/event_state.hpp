// Event state: the state that all copies of an event share.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "runtime/opencl.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

struct EventState {
  EventState(cl::Event event, bool polls_first) : handle(std::move(event)), polls(polls_first) {}
  /// The same command, which reports `those` too.
  EventState(const EventState& command, std::vector<Event> those)
      : handle(command.handle),
        polls(command.polls),
        earlier(command.earlier),
        others(std::move(those)) {}

  cl::Event handle;
  bool polls;                  ///< before it sleeps: see runtime::waits_awake()
  std::vector<Event> earlier;  ///< the operation's other commands
  std::vector<Event> others;   ///< operations whose failures it reports too
  /// All commands are known to have succeeded: their status is not queried again.
  mutable std::atomic<bool> succeeded = false;
};

/// Retains `handle`; an empty event for null.
Event event_of(cl_event handle);
/// Null for an empty event.
cl_event handle_of(const Event& event);

/// Returns whether a command has ended. Throws cl::Error with its status if it failed. Check this
/// after a wait too: the wait's own error says less, and NVIDIA's driver gives none.
bool ended(cl_event event);

}  // namespace tessera::inline v0::runtime
