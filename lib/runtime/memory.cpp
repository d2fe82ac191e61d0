// Order between streams: the last write to a buffer, the reads since.
#include "runtime/memory.hpp"

#include <algorithm>
#include <utility>

#include "runtime/opencl_error.hpp"
#include "runtime/process.hpp"

namespace tessera::inline v0::runtime {

void BufferUses::dependencies(std::uint64_t stream, Access access,
                              std::vector<Event>& events) const {
  check_process();  // every operation on a matrix comes here before its first command
  const std::lock_guard lock(mutex_);
  if (written_.stream != 0 && written_.stream != stream) events.push_back(written_.event);
  if (access == Access::read) return;
  for (const Use& use : reads_) {
    if (use.stream != stream) events.push_back(use.event);
  }
}

void BufferUses::record(std::uint64_t stream, Access access, const Event& event) {
  // Copied before anything changes: taking a reference can fail.
  Use use{stream, event};
  const std::lock_guard lock(mutex_);
  if (access == Access::write) {
    reads_.clear();
    written_ = std::move(use);
    return;
  }
  const auto own = std::ranges::find(reads_, stream, &Use::stream);
  if (own == reads_.end()) {
    reads_.push_back(std::move(use));
  } else {
    *own = std::move(use);
  }
}

std::unique_ptr<MemoryBudget::Reservation> release_with(
    cl_mem object, std::unique_ptr<MemoryBudget::Reservation> reservation) {
  const auto release = [](cl_mem, void* held) {
    std::default_delete<MemoryBudget::Reservation>()(static_cast<MemoryBudget::Reservation*>(held));
  };
  const cl_int status = clSetMemObjectDestructorCallback(object, release, reservation.get());
  if (status == CL_INVALID_OPERATION) return reservation;  // Wine lacks it
  check(status, "clSetMemObjectDestructorCallback");
  static_cast<void>(reservation.release());
  return nullptr;
}

}  // namespace tessera::inline v0::runtime
