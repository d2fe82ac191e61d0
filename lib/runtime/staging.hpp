// Staging: host memory of the library that transfers go through, in chunks.
#pragma once

#include <cstddef>
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
  /// Opens the gates up to that of `chunk`, where there are so many.
  void open(std::size_t chunk);
  void open_all() noexcept;
  /// The device does not use the slots any more.
  void end() { ended_ = true; }

 private:
  Stream* stream_;
  std::vector<std::unique_ptr<StagingSlot>> slots_;
  std::vector<cl::UserEvent> gates_;
  std::size_t opened_ = 0;
  bool ended_ = false;
};

}  // namespace tessera::inline v0::runtime
