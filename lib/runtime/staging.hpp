// Staging: host memory of the library that transfers go through, in chunks.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/opencl.hpp"
#include "runtime/stream.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

/// Pinned memory, which devices copy from and to at full speed.
class StagingSlot {
 public:
  static constexpr std::size_t kBytes = std::size_t{2} << 20;

  explicit StagingSlot(const Context& context);
  StagingSlot(const StagingSlot&) = delete;
  StagingSlot& operator=(const StagingSlot&) = delete;
  ~StagingSlot();

  std::byte* data() const { return data_; }

 private:
  cl::CommandQueue queue_;  // of its own: mapping must not wait for a stream
  cl::Buffer buffer_;
  std::byte* data_;
};

/// What the device waits for until the host opens it, at the latest in the destructor.
class Gate {
 public:
  explicit Gate(const Context& context) : event_(context.handle()) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { clSetUserEventStatus(event_(), CL_COMPLETE); }

  Event event() const { return Event(event_()); }
  void open() { event_.setStatus(CL_COMPLETE); }

 private:
  cl::UserEvent event_;
};

/// The slots of a transfer. A chunk's slot is that of the chunk kSlots before it; the device waits
/// at a gate until the host has made the slot ready. Slots that the device may still use when the
/// transfer fails are never freed.
class Staging {
 public:
  static constexpr std::size_t kSlots = 2;

  Staging(Stream& stream, std::size_t chunks);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  std::byte* slot(std::size_t chunk) const { return slots_[chunk % kSlots]->data(); }
  /// What the device waits for before a chunk; empty for the first kSlots.
  Event gate(std::size_t chunk) const;
  /// Opens the gate of `chunk`, if it has one.
  void open(std::size_t chunk);
  /// Opens all gates. The transfer has failed.
  void give_up() { gates_.clear(); }
  /// The device does not use the slots any more.
  void end() { ended_ = true; }

 private:
  Stream* stream_;
  std::vector<std::unique_ptr<StagingSlot>> slots_;
  std::deque<Gate> gates_;
  bool ended_ = false;
};

}  // namespace tessera::inline v0::runtime
