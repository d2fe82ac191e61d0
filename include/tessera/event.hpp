// Event: the completion of a command that was enqueued on a device.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

namespace runtime {
struct EventState;
}
namespace detail {
struct Access;
}

/// The completion of a command, or of an operation with all of its commands. Copies refer to the
/// same; an empty event is complete. Safe to use from several threads.
/// An event keeps nothing else alive: matrices may be destroyed before it.
class TESSERA_API Event {
 public:
  Event() = default;

  /// Returns when the command has ended; throws OpenClError if it failed. An operation's event
  /// throws if any of its commands failed; an event of to_host_async() throws also if a command
  /// failed that may have written the numbers. On devices that wake threads slowly, it polls for up
  /// to 0.1 ms before it sleeps.
  void wait() const;
  /// Returns whether the command has ended, without waiting. Throws like wait().
  bool complete() const;

 private:
  friend struct detail::Access;
  explicit Event(std::shared_ptr<const runtime::EventState> state) : state_(std::move(state)) {}

  std::shared_ptr<const runtime::EventState> state_;
};

/// Device time in seconds from the start of `first` to the end of `last`; waits for `last`. Empty
/// if the engine was created without `profiling`.
TESSERA_API std::optional<double> seconds_between(const Event& first, const Event& last);

}  // namespace tessera::inline v0
