// Clock: the time that limits and budgets of a tuning are held against.
#pragma once

#include <chrono>

#include "tuning/worker_step.hpp"

namespace tessera::inline v0::tuning {

/// The wall's, from its making on. A test has one of its own, which no load of the machine moves.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Seconds since the tuning began.
  virtual double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  /// Seconds that a worker has been at a step of `kernel`, which it began at `began`.
  virtual double spent(const KernelChoice& kernel, WorkerStep step, double began) const {
    static_cast<void>(kernel), static_cast<void>(step);
    return now() - began;
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::inline v0::tuning
