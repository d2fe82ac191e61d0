// Slots of pinned memory, kept by the context between transfers, and the gates of a transfer.
#include "runtime/staging.hpp"

#include <algorithm>
#include <utility>

#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// The slots of a context that no transfer uses.
struct IdleSlots {
  std::mutex mutex;
  std::vector<std::unique_ptr<StagingSlot>> slots;
};

std::unique_ptr<StagingSlot> take_slot(Context& context) {
  auto& idle = context.extension<IdleSlots>();
  {
    const std::lock_guard lock(idle.mutex);
    if (!idle.slots.empty()) {
      auto slot = std::move(idle.slots.back());
      idle.slots.pop_back();
      return slot;
    }
  }
  return std::make_unique<StagingSlot>(context);
}

}  // namespace

// Waits for events, never for the queue: PoCL 6 may still use a queue that clFinish waited for.
StagingSlot::StagingSlot(const Context& context)
    : queue_(context.handle(), context.device().handle),
      buffer_(context.handle(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, kBytes) {
  cl::Event mapped;
  data_ = static_cast<std::byte*>(queue_.enqueueMapBuffer(
      buffer_, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, kBytes, nullptr, &mapped));
  mapped.wait();
}

StagingSlot::~StagingSlot() {
  try {
    cl::Event unmapped;
    queue_.enqueueUnmapMemObject(buffer_, data_, nullptr, &unmapped);
    unmapped.wait();
  } catch (const cl::Error&) {  // of a lost device
  }
}

Staging::Staging(Stream& stream, std::size_t chunks) : stream_(&stream) {
  for (std::size_t i = 0; i < std::min(chunks, kSlots); i++)
    slots_.push_back(take_slot(stream.context()));
  for (std::size_t i = kSlots; i < chunks; i++) gates_.emplace_back(stream.context());
}

Staging::~Staging() {
  give_up();
  if (!ended_ && clFinish(stream_->queue()()) != CL_SUCCESS) {
    for (auto& slot : slots_) static_cast<void>(slot.release());
    return;
  }
  auto& idle = stream_->context().extension<IdleSlots>();
  const std::lock_guard lock(idle.mutex);
  std::ranges::move(slots_, std::back_inserter(idle.slots));
}

Event Staging::gate(std::size_t chunk) const {
  return chunk < kSlots ? Event() : gates_[chunk - kSlots].event();
}

void Staging::open(std::size_t chunk) {
  if (kSlots <= chunk && chunk - kSlots < gates_.size()) gates_[chunk - kSlots].open();
}

}  // namespace tessera::inline v0::runtime
