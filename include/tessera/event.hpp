// Event: the completion of a command that was enqueued on a device.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <tessera/export.hpp>

struct _cl_event;  // what OpenCL's cl_event points to

namespace tessera::inline v0 {

namespace runtime {
class Submission;
}

/// The completion of a command, or of an operation with all of its commands. Copies refer to the
/// same; an empty event is complete.
/// An event keeps nothing else alive: matrices may be destroyed before it.
class TESSERA_API Event {
 public:
  Event() = default;
  /// Retains `event`.
  explicit Event(_cl_event* event);
  Event(const Event& other);
  Event(Event&& other) noexcept;
  Event& operator=(Event other) noexcept;
  ~Event();

  /// Returns when the command has ended; throws OpenClError if it failed. That of an operation does
  /// for every one of its commands, that of to_host_async() also for those that the numbers may
  /// have come from. Polls before it sleeps: for up to 0.1 ms, or 1 us on Intel's runtime for CPUs,
  /// where the sleeping thread computes too.
  void wait() const;
  /// Has the command ended? Throws likewise.
  bool complete() const;
  /// The OpenCL handle, still owned by this event, of an operation's last command; null for an
  /// empty event.
  _cl_event* handle() const noexcept { return event_; }

 private:
  friend class runtime::Submission;

  _cl_event* event_ = nullptr;
  bool is_helped_ = false;                             // by who waits: see runtime::waiting_helps()
  std::shared_ptr<const std::vector<Event>> earlier_;  // the operation's other commands
  std::shared_ptr<const std::vector<Event>> others_;   // operations whose failures it reports too
};

/// Device time in seconds from the start of `first` to the end of `last`; waits for `last`. Empty
/// if the engine was created without `profiling`.
TESSERA_API std::optional<double> seconds_between(const Event& first, const Event& last);

}  // namespace tessera::inline v0
