// Memory budget: how much of a device's memory the engines of a context hold.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "tessera/device.hpp"
#include "tessera/engine.hpp"

namespace tessera::inline v0::runtime {

/// The purpose of device memory.
enum class Purpose { matrix, scratch };

class MemoryBudget : public std::enable_shared_from_this<MemoryBudget> {
 public:
  /// A part of the device's memory, counted as held until this is destroyed.
  class Reservation {
   public:
    Reservation(std::shared_ptr<MemoryBudget> budget, std::uint64_t bytes, Purpose purpose)
        : budget_(std::move(budget)), bytes_(bytes), purpose_(purpose) {}
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation() { budget_->release(bytes_, purpose_); }

   private:
    std::shared_ptr<MemoryBudget> budget_;
    std::uint64_t bytes_;
    Purpose purpose_;
  };

  /// NVIDIA's driver 580 calls a buffer's destructor callback some 0.2 ms after its release.
  static constexpr std::chrono::milliseconds kPatience{20};

  explicit MemoryBudget(const DeviceInfo& device, std::chrono::milliseconds patience = kPatience)
      : device_(device.name),
        capacity_(device.global_memory),
        largest_(device.max_allocation),
        patience_(patience) {}

  /// The number of bytes that are held.
  std::uint64_t live() const;
  /// The bytes of matrices, the bytes of scratch memory, and the capacity.
  MemoryUse use() const;
  std::uint64_t capacity() const { return capacity_; }

  /// Returns whether `bytes` would fit now.
  bool fits(std::uint64_t bytes) const { return bytes <= capacity_ && live() <= capacity_ - bytes; }
  /// Counts `bytes`, after a wait with `patience` if they do not fit: a driver may report freed
  /// memory late.
  /// Throws MemoryError, which names `what` and gives the numbers, if they exceed the largest
  /// allocation or still do not fit.
  std::unique_ptr<Reservation> reserve(std::uint64_t bytes, const std::string& what,
                                       Purpose purpose = Purpose::matrix);

 private:
  void release(std::uint64_t bytes, Purpose purpose);

  std::string device_;
  std::uint64_t capacity_, largest_;
  std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  std::condition_variable released_;
  std::uint64_t live_ = 0, scratch_ = 0;  // scratch_ is a part of live_
};

}  // namespace tessera::inline v0::runtime
