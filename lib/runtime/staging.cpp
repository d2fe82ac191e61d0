// Slots of pinned memory, kept by the context between transfers.
#include "runtime/staging.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace tessera::inline v0::runtime {
namespace {

/// The slots of a context that no transfer uses.
struct IdleSlots {
  IdleSlots() { slots.reserve(Staging::kMaxKept); }  // a destructor adds to them

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

Staging::Staging(Context& context) : context_(&context), slot_(take_slot(context)) {}

Staging::~Staging() {
  if (user_ != nullptr && clFinish((*user_)()) != CL_SUCCESS) {
    static_cast<void>(slot_.release());
    return;
  }
  auto& idle = context_->extension<IdleSlots>();
  const std::lock_guard lock(idle.mutex);
  if (idle.slots.size() < kMaxKept) idle.slots.push_back(std::move(slot_));
}

}  // namespace tessera::inline v0::runtime
