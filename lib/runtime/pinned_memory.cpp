// Mapping a buffer for good.
#include "runtime/pinned_memory.hpp"

#include "runtime/event_state.hpp"
#include "runtime/process.hpp"

namespace tessera::inline v0::runtime {

// Waits for events, never for the queue: PoCL 6 may still use a queue that clFinish waited for.
PinnedMemory::PinnedMemory(const Context& context, std::size_t bytes)
    : queue_(context.handle(), context.device().handle),
      buffer_(context.handle(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes) {
  cl::Event mapped;
  data_ = static_cast<std::byte*>(queue_.enqueueMapBuffer(
      buffer_, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, nullptr, &mapped));
  mapped.wait();
  ended(mapped());
}

PinnedMemory::~PinnedMemory() {
  if (is_forked()) return;  // waiting would never end
  try {
    cl::Event unmapped;
    queue_.enqueueUnmapMemObject(buffer_, data_, nullptr, &unmapped);
    unmapped.wait();
  } catch (const cl::Error&) {  // of a lost device
  }
}

}  // namespace tessera::inline v0::runtime
