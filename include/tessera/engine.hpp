// Engine: a device that is ready for use, with its programs, its streams and its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/device.hpp>
#include <tessera/event.hpp>
#include <tessera/export.hpp>
#include <tessera/stream.hpp>

namespace tessera::inline v0 {

namespace runtime {
class Context;
}

struct EngineOptions {
  std::string device = {};  ///< a selector; empty: $TESSERA_DEVICE, else the fastest device
  bool profiling = false;   ///< results carry device times
  std::string profile =
      {};  ///< tuned kernels: a .jsonl file, a folder, "off"; empty: $TESSERA_PROFILE
};

/// Device memory that the engines of one context hold, in bytes.
struct MemoryUse {
  std::uint64_t live = 0;  ///< matrices
  /// Memory that operations work in. It is kept for those that follow, at most a sixteenth of the
  /// capacity for each stream, until a matrix needs the room or the stream is destroyed.
  std::uint64_t scratch = 0;
  std::uint64_t capacity = 0;  ///< the device's memory; other programs may hold some of it
};

/// A device with its context, its built programs, its tuned kernels and its own stream, which is
/// used if none is named. A matrix that is created with an Engine is created on that stream.
///
/// Copies share all of that. Safe to use from several threads. Calls on matrices enqueue and return
/// unless documented to wait. An Engine object may be destroyed before its matrices.
///
/// A child process that was forked after its parent used OpenCL cannot use it: every call throws
/// DeviceError with ErrorCode::forked_process.
class TESSERA_API Engine {
 public:
  /// The device that $TESSERA_DEVICE selects, else the fastest. Throws DeviceError if there is
  /// none.
  Engine();
  /// `selector` is a type ("gpu", "cpu", "accelerator"), a place ("0:1": platform and device, as
  /// clinfo counts), a part of a device's or a platform's name, or "local". The last one is for ranks
  /// of MPI or Slurm: the ranks of a machine get its fastest GPUs in turn. Throws DeviceError, which
  /// lists the devices that exist.
  explicit Engine(std::string_view selector);
  explicit Engine(const EngineOptions& options);

  // A move is a copy: an Engine is never empty.
  Engine(const Engine&) = default;
  Engine& operator=(const Engine&) = default;
  ~Engine() = default;

  /// The engine that a stream belongs to.
  explicit Engine(const Stream& stream);

  const DeviceInfo& device() const;

  /// The engine's own stream.
  const Stream& stream() const { return stream_; }
  /// A new stream, which runs concurrently with the others.
  Stream new_stream() const;

  /// Waits for everything enqueued on any stream of the engine; throws OpenClError if any of it
  /// failed. Stream::finish() waits for one stream.
  void finish() const;

  /// Everything enqueued on the engine's own stream from now on waits for these events.
  void wait_for(const std::vector<Event>& events) const { stream_.wait_for(events); }

  /// True if the device no longer works after an error that it reported. Waits for a small
  /// transfer.
  bool lost() const;

  MemoryUse memory() const;
  /// Frees the scratch memory of all streams, as soon as the commands that use it have ended. The
  /// next operations allocate it again.
  void release_scratch() const;

  bool operator==(const Engine&) const = default;

 private:
  friend struct detail::Access;
  explicit Engine(const std::shared_ptr<runtime::Context>& context);
  explicit Engine(std::shared_ptr<runtime::Stream> stream);

  Stream stream_;  // the context's own, except for the library's purposes
};

}  // namespace tessera::inline v0
