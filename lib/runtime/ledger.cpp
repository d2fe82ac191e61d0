// Counting device memory, with the numbers in the error where it does not suffice.
#include "runtime/ledger.hpp"

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

std::unique_ptr<Ledger::Loan> Ledger::lend(std::uint64_t bytes, const std::string& what) {
  if (bytes > largest_) {
    throw MemoryError(fmt::format("{} needs {}: {} allows {} in one allocation", what, in_units(bytes), device_,
                                  in_units(largest_)));
  }
  std::uint64_t live = live_;
  do {
    if (bytes > capacity_ || live > capacity_ - bytes) {
      throw MemoryError(fmt::format("{} needs {}: {} has {}, and this engine holds {} of it", what,
                                    in_units(bytes), device_, in_units(capacity_), in_units(live)));
    }
  } while (!live_.compare_exchange_weak(live, live + bytes));
  return std::make_unique<Loan>(shared_from_this(), bytes);
}

}  // namespace tessera::inline v0::runtime
