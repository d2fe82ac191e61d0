// Memory: a buffer on a device, with the order in which the streams of its context use it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/memory_budget.hpp"
#include "runtime/opencl.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

enum class Access { read, write };

/// The order in which the streams of a context use a buffer. Streams are identified by their ids.
class BufferUses {
 public:
  /// Held by an operation while it enqueues, shared among those that only read, so that no other
  /// operation's commands are interleaved.
  std::shared_mutex& enqueueing() { return enqueueing_; }
  /// Adds to `events` what a command of `stream` has to wait for: other streams' writes, and for a
  /// write their reads too. The stream's own commands are in order anyway.
  void dependencies(std::uint64_t stream, Access access, std::vector<Event>& events) const;
  /// Records `event` as the end of a command of `stream` that used the buffer.
  void record(std::uint64_t stream, Access access, const Event& event);

 private:
  struct Use {
    std::uint64_t stream = 0;  // 0: none
    Event event;
  };

  std::shared_mutex enqueueing_;
  mutable std::mutex mutex_;
  Use written_;
  std::vector<Use> reads_;  // since the last write, the latest of each stream
};

class Memory {
 public:
  /// `reservation`: what release_with() returned.
  Memory(cl::Buffer buffer, std::unique_ptr<MemoryBudget::Reservation> reservation)
      : reservation_(std::move(reservation)),
        buffer_(std::move(buffer)),
        root_(buffer_()),
        uses_(std::make_shared<BufferUses>()) {}
  /// A buffer that others hold too, or a sub-buffer: `root` is the buffer that it is a part of,
  /// `origin` the offset of its first byte there, and all parts share `uses`.
  Memory(cl::Buffer buffer, cl_mem root, std::uint64_t origin, std::shared_ptr<BufferUses> uses,
         bool read_only)
      : buffer_(std::move(buffer)),
        root_(root),
        origin_(origin),
        uses_(std::move(uses)),
        read_only_(read_only) {}

  const cl::Buffer& buffer() const { return buffer_; }
  cl_mem root() const { return root_; }
  std::uint64_t origin() const { return origin_; }
  BufferUses& uses() const { return *uses_; }
  /// Returns whether kernels may only read the buffer.
  bool read_only() const { return read_only_; }

 private:
  std::unique_ptr<MemoryBudget::Reservation> reservation_;  // ends after the buffer
  cl::Buffer buffer_;
  cl_mem root_;
  std::uint64_t origin_ = 0;
  std::shared_ptr<BufferUses> uses_;
  bool read_only_ = false;
};

/// Keeps `reservation` until the runtime has freed `object`, which may be later than the release of
/// the last handle. Returns the reservation if the runtime does not report that, as Wine's.
std::unique_ptr<MemoryBudget::Reservation> release_with(
    cl_mem object, std::unique_ptr<MemoryBudget::Reservation> reservation);

}  // namespace tessera::inline v0::runtime
