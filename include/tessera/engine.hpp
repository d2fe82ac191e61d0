// Engine: a device that is ready to work, with its programs, its queue and its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tessera/device.hpp>
#include <tessera/event.hpp>
#include <tessera/export.hpp>

namespace tessera::inline v0 {

namespace runtime {
class Stream;
}

struct EngineOptions {
  std::string device = {};  ///< a selector; empty: $TESSERA_DEVICE, else the fastest device
  bool profiling = false;   ///< results carry the time that the device took
  std::string profile =
      {};  ///< tuned kernels: a .jsonl file, a folder, "off"; empty: $TESSERA_PROFILE
};

/// Device memory that the engines of one context hold, in bytes.
struct MemoryUse {
  std::uint64_t live = 0;      ///< matrices and scratch
  std::uint64_t capacity = 0;  ///< the device's memory; other programs may hold some of it
};

/// A device with its context, its built programs, and one in-order queue with its scratch memory.
///
/// Copies share all of that. Safe to use from several threads. Calls on matrices enqueue and
/// return; what waits is named so. Matrices keep what they stand on alive: an Engine object may go
/// before them.
class TESSERA_API Engine {
 public:
  /// The device that $TESSERA_DEVICE selects, else the fastest. Throws DeviceError if there is
  /// none.
  Engine();
  /// `selector`: "gpu", "cpu", "accelerator", "0:1" (platform:device, as clinfo counts), or a part
  /// of a device's or a platform's name. Throws DeviceError, which lists what there is.
  explicit Engine(std::string_view selector);
  explicit Engine(const EngineOptions& options);

  // A move is a copy: an Engine is never empty.
  Engine(const Engine&) = default;
  Engine& operator=(const Engine&) = default;
  ~Engine() = default;

  const DeviceInfo& device() const;

  /// Another queue with its own scratch memory, on the same context and programs. A matrix may be
  /// used on any stream of its context: operations wait for what other streams still do to their
  /// operands.
  Engine new_stream() const;

  /// Waits for all that was enqueued on this stream; throws OpenClError if any of it failed. What
  /// copies to or from the host throws so too.
  void finish() const;

  /// What is enqueued on this stream from now on waits for these events: an application's, that are
  /// to end before a transfer.
  void wait_for(const std::vector<Event>& events) const;

  /// True if the device no longer works, after an error that it reported.
  bool lost() const;

  MemoryUse memory() const;

  /// For the library itself.
  explicit Engine(std::shared_ptr<runtime::Stream> stream) : stream_(std::move(stream)) {}
  const std::shared_ptr<runtime::Stream>& stream() const { return stream_; }

 private:
  std::shared_ptr<runtime::Stream> stream_;
};

}  // namespace tessera::inline v0
