// Staging: host memory of the library for transfers, and a gate that stops a stream meanwhile.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/context.hpp"
#include "runtime/event_state.hpp"
#include "runtime/opencl.hpp"
#include "runtime/pinned_memory.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

/// Pinned memory of a fixed size.
class StagingSlot : public PinnedMemory {
 public:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;

  explicit StagingSlot(const Context& context) : PinnedMemory(context, kBytes) {}
};

/// A slot of the context, held until this object is destroyed. A slot that the device may still use
/// then is never freed.
class Staging {
 public:
  /// Slots that a context keeps, and threads that copy one block; more threads gain little.
  static constexpr std::size_t kMaxKept = 8;

  explicit Staging(Context& context);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  std::byte* data() const { return slot_->data(); }
  const cl::CommandQueue& queue() const { return slot_->queue(); }

  /// Commands of `queue` use the slot, and have ended when `work()` returns.
  template <class Work>
  void used_on(const cl::CommandQueue& queue, Work&& work) {
    user_ = &queue;
    work();
    user_ = nullptr;
  }

 private:
  Context* context_;
  std::unique_ptr<StagingSlot> slot_;
  const cl::CommandQueue* user_ = nullptr;
};

/// An event that the device waits for until the host opens it, at the latest in the destructor.
class Gate {
 public:
  explicit Gate(const Context& context) : event_(context.handle()) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { open_at_last(); }

  Event event() const { return event_of(event_()); }
  void open() { event_.setStatus(CL_COMPLETE); }
  /// Opens the gate and ignores errors, for a caller that may have an error to report already.
  void open_at_last() noexcept { clSetUserEventStatus(event_(), CL_COMPLETE); }

 private:
  cl::UserEvent event_;
};

}  // namespace tessera::inline v0::runtime
