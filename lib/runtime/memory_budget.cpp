// Accounting of device memory; errors give the numbers.
#include "runtime/memory_budget.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

std::string in_units(std::uint64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  if (mebibytes < 1) return fmt::format("{} bytes", bytes);
  if (mebibytes < 1024) return fmt::format("{:.1f} MiB", mebibytes);
  return fmt::format("{:.2f} GiB", mebibytes / 1024);
}

}  // namespace

std::uint64_t MemoryBudget::live() const {
  const std::lock_guard lock(mutex_);
  return live_;
}

MemoryUse MemoryBudget::use() const {
  const std::lock_guard lock(mutex_);
  return {.live = live_ - scratch_, .scratch = scratch_, .capacity = capacity_};
}

void MemoryBudget::release(std::uint64_t bytes, Purpose purpose) {
  const std::lock_guard lock(mutex_);
  live_ -= bytes;
  if (purpose == Purpose::scratch) scratch_ -= bytes;
  released_.notify_all();
}

std::unique_ptr<MemoryBudget::Reservation> MemoryBudget::reserve(std::uint64_t bytes,
                                                                 const std::string& what,
                                                                 Purpose purpose) {
  if (bytes > largest_) {
    throw MemoryError(fmt::format("{} needs {}: {} allows {} in one allocation", what,
                                  in_units(bytes), device_, in_units(largest_)));
  }
  {
    std::unique_lock lock(mutex_);
    const auto fits = [&] { return bytes <= capacity_ && live_ <= capacity_ - bytes; };
    if (!released_.wait_for(lock, patience_, fits)) {
      throw MemoryError(fmt::format("{} needs {}: {} has {}, and this engine holds {} of it", what,
                                    in_units(bytes), device_, in_units(capacity_),
                                    in_units(live_)));
    }
    live_ += bytes;
    if (purpose == Purpose::scratch) scratch_ += bytes;
  }
  return std::make_unique<Reservation>(shared_from_this(), bytes, purpose);
}

}  // namespace tessera::inline v0::runtime
