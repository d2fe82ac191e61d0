// Slots of pinned memory, kept by the context between transfers.
#include "runtime/staging.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "runtime/process.hpp"

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
  if (is_forked()) return;  // waiting would never end
  try {
    cl::Event unmapped;
    queue_.enqueueUnmapMemObject(buffer_, data_, nullptr, &unmapped);
    unmapped.wait();
  } catch (const cl::Error&) {  // of a lost device
  }
}

Staging::Staging(Context& context) : context_(&context), slot_(take_slot(context)) {}

Staging::~Staging() {
  if (user_ != nullptr && clFinish((*user_)()) != CL_SUCCESS) {
    static_cast<void>(slot_.release());
    return;
  }
  auto& idle = context_->extension<IdleSlots>();
  const std::lock_guard lock(idle.mutex);
  if (idle.slots.size() < kMostKept) idle.slots.push_back(std::move(slot_));
}

}  // namespace tessera::inline v0::runtime
