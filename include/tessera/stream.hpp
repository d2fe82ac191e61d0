// Stream: an in-order queue of a device, with scratch memory of its own.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <tessera/event.hpp>
#include <tessera/export.hpp>

namespace tessera::inline v0 {

namespace runtime {
class Stream;
}

/// A queue of an engine: `engine.stream()` is the engine's own, `engine.new_stream()` another.
///
/// What is enqueued on one stream runs in that order; streams run beside each other. A matrix may
/// be used on any stream of its engine: operations wait for what other streams still do to their
/// operands. Copies are the same stream. Safe to use from several threads. A stream keeps its
/// engine's context alive.
class TESSERA_API Stream {
 public:
  // A move is a copy: a Stream is never empty.
  Stream(const Stream&) = default;
  Stream& operator=(const Stream&) = default;
  ~Stream() = default;

  /// Waits for all that was enqueued on this stream; throws OpenClError if any of it failed. What
  /// copies to or from the host throws so too.
  void finish() const;

  /// What is enqueued on this stream from now on waits for these events: an application's, that are
  /// to end before a transfer.
  void wait_for(const std::vector<Event>& events) const;

  bool operator==(const Stream&) const = default;

  // For the library itself.
  explicit Stream(std::shared_ptr<runtime::Stream> state) : state_(std::move(state)) {}
  runtime::Stream& operator*() const { return *state_; }
  runtime::Stream* operator->() const { return state_.get(); }
  const std::shared_ptr<runtime::Stream>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::Stream> state_;
};

}  // namespace tessera::inline v0
