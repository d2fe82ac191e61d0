// Ledger: how much of a device's memory the engines of a context hold.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tessera/device.hpp"

namespace tessera::inline v0::runtime {

class Ledger : public std::enable_shared_from_this<Ledger> {
 public:
  /// A part of the device's memory, counted as held for as long as the loan lives.
  class Loan {
   public:
    Loan(std::shared_ptr<Ledger> ledger, std::uint64_t bytes) : ledger_(std::move(ledger)), bytes_(bytes) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { ledger_->live_ -= bytes_; }

   private:
    std::shared_ptr<Ledger> ledger_;
    std::uint64_t bytes_;
  };

  explicit Ledger(const DeviceInfo& device)
      : device_(device.name), capacity_(device.global_memory), largest_(device.max_allocation) {}

  std::uint64_t live() const { return live_; }
  std::uint64_t capacity() const { return capacity_; }

  /// Would `bytes` fit now?
  bool fits(std::uint64_t bytes) const { return bytes <= capacity_ && live_ <= capacity_ - bytes; }
  /// Counts `bytes`. Throws MemoryError, which says what for and gives the numbers, where they are over
  /// the largest allocation or do not fit.
  std::unique_ptr<Loan> lend(std::uint64_t bytes, const std::string& what);

 private:
  std::string device_;
  std::uint64_t capacity_, largest_;
  std::atomic<std::uint64_t> live_ = 0;
};

}  // namespace tessera::inline v0::runtime
