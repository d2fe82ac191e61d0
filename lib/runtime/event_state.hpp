// What the copies of an event share.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "runtime/opencl.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0 {

struct Event::State {
  State(cl::Event event, bool polls_first) : handle(std::move(event)), polls(polls_first) {}
  /// The same command, which reports `those` too.
  State(const State& command, std::vector<Event> those)
      : handle(command.handle),
        polls(command.polls),
        earlier(command.earlier),
        others(std::move(those)) {}

  cl::Event handle;
  bool polls;                  ///< before it sleeps: see runtime::waits_awake()
  std::vector<Event> earlier;  ///< the operation's other commands
  std::vector<Event> others;   ///< operations whose failures it reports too
  /// All of them are known to have succeeded: nothing is asked again.
  mutable std::atomic<bool> succeeded = false;
};

namespace runtime {

/// Throws cl::Error with the status of a command that failed. After a wait too: its own error says
/// less, and NVIDIA's driver gives none.
bool ended(cl_event event);

}  // namespace runtime
}  // namespace tessera::inline v0
