// Workload: a problem with its operands on a device, to run, check and time any kernel on.
#pragma once

#include <string>

#include "tessera/kernel.hpp"

namespace tessera::inline v0::kernels {

/// Operands are made on the device; what a result is compared with is computed on the host, when it
/// is first asked for.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Enqueues the operation. What the operation throws passes through.
  virtual KernelRun run(const KernelChoice& kernel) = 0;
  /// Fills the output and the memory around it with what no result is.
  virtual void poison() = 0;
  /// Compares what a run after poison() has left with double arithmetic: all of a small problem, of
  /// a large one samples, and that no element stayed poison. Why it is wrong; empty where it is
  /// right.
  virtual std::string compare() = 0;

  /// All three.
  std::string check(const KernelChoice& kernel) {
    poison();
    run(kernel).finished.wait();
    return compare();
  }
};

}  // namespace tessera::inline v0::kernels
