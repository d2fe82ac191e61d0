// Stream: an in-order queue of a device, with its own scratch memory.
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
namespace detail {
struct Access;
}

/// A queue of an engine: `engine.stream()` is the engine's own, `engine.new_stream()` another.
///
/// Commands run in the order in which they were enqueued on a stream; streams run concurrently. A
/// matrix may be used on any stream of its engine: operations wait for pending work of other
/// streams on their operands. Transfers are operations too: a product on one stream waits for an
/// upload_async() on another, and a to_host_async() for the product. Copies of a Stream refer
/// to the same queue. Safe to use from several threads. A stream keeps its engine's context alive.
class TESSERA_API Stream {
 public:
  // A move is a copy: a Stream is never empty.
  Stream(const Stream&) = default;
  Stream& operator=(const Stream&) = default;
  ~Stream() = default;

  /// Waits for everything enqueued on this stream; throws OpenClError if any of it failed, or a
  /// command of another stream of the engine that has not reported it yet. Copies to and from the
  /// host throw likewise.
  void finish() const;

  /// Everything enqueued on this stream from now on waits for these events. An application can pass
  /// its own events, which must complete before a transfer.
  void wait_for(const std::vector<Event>& events) const;

  bool operator==(const Stream&) const = default;

 private:
  friend struct detail::Access;
  explicit Stream(std::shared_ptr<runtime::Stream> state) : state_(std::move(state)) {}

  std::shared_ptr<runtime::Stream> state_;
};

}  // namespace tessera::inline v0
