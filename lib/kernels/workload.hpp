// Workload: a problem with its operands on a device, to run, check and time any plan on.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tessera/kernel.hpp"

namespace tessera::inline v0::kernels {

struct Plan;
using SharedPlan = std::shared_ptr<const Plan>;

/// Operands are generated on the device; the reference for a result is computed on the host, on
/// first use.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Enqueues the operation by a plan for such problems. Exceptions of the operation propagate.
  virtual KernelRun run(const SharedPlan& plan) = 0;
  /// Calls of the operation, enqueued together.
  struct Calls {
    KernelRun run;
    std::size_t number = 1;
  };
  /// What is timed: run(), or as many calls at once as its callers enqueue.
  virtual Calls run_timed(const SharedPlan& plan) { return {run(plan)}; }
  /// Fills the output and the memory around it with values that are not results.
  virtual void poison() = 0;
  /// Compares the output of a run after poison() with double arithmetic, all of a small problem and
  /// samples of a large one, and checks that no element is still poison. Why it is wrong; empty if
  /// it is correct.
  virtual std::string compare() = 0;

  /// All three.
  std::string check(const SharedPlan& plan) {
    poison();
    run(plan).finished.wait();
    return compare();
  }
};

}  // namespace tessera::inline v0::kernels
