// Clock: the time against which a tuning's limits and budgets are measured.
#pragma once

#include <chrono>

#include "tuning/worker_step.hpp"

namespace tessera::inline v0::tuning {

/// Wall-clock time since construction. Tests derive their own, which machine load cannot affect.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Seconds since the tuning began.
  virtual double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  /// Seconds that a worker has spent on a step of `kernel` that began at `began`.
  virtual double spent(const KernelChoice& kernel, WorkerStep step, double began) const {
    static_cast<void>(kernel), static_cast<void>(step);
    return now() - began;
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::inline v0::tuning
