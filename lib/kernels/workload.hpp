// Workload: a problem with its operands on a device, to run, check and time any kernel on.
#pragma once

#include <cstddef>
#include <string>

#include "tessera/kernel.hpp"

namespace tessera::inline v0::kernels {

/// Operands are generated on the device; the reference for a result is computed on the host, on
/// first use.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Enqueues the operation. Exceptions of the operation propagate.
  virtual KernelRun run(const KernelChoice& kernel) = 0;
  /// Calls of the operation, enqueued together.
  struct Calls {
    KernelRun run;
    std::size_t number = 1;
  };
  /// What is timed: run(), or as many calls at once as its callers enqueue.
  virtual Calls run_timed(const KernelChoice& kernel) { return {run(kernel)}; }
  /// Fills the output and the memory around it with values that are not results.
  virtual void poison() = 0;
  /// Compares the output of a run after poison() with double arithmetic, all of a small problem and
  /// samples of a large one, and checks that no element is still poison. Why it is wrong; empty if
  /// it is correct.
  virtual std::string compare() = 0;

  /// All three.
  std::string check(const KernelChoice& kernel) {
    poison();
    run(kernel).finished.wait();
    return compare();
  }
};

}  // namespace tessera::inline v0::kernels
