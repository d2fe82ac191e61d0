// Workload: a problem with its operands on a device, to run, check and time any kernel on.
#pragma once

#include <string>

#include "tessera/kernel.hpp"

namespace tessera::inline v0::kernels {

class Workload {
 public:
  virtual ~Workload() = default;

  /// Enqueues the operation. What the operation throws passes through.
  virtual KernelRun run(const KernelChoice& kernel) = 0;
  /// Poisons the output and the memory around it, runs, and compares with double arithmetic. Why
  /// the result is wrong; empty where it is right.
  virtual std::string check(const KernelChoice& kernel) = 0;
};

}  // namespace tessera::inline v0::kernels
