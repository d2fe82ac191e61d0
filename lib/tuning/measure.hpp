// Measure: builds, checks and times one kernel, in a process that it may crash.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/workload.hpp"
#include "tessera/error.hpp"
#include "tessera/tune.hpp"
#include "tuning/policy.hpp"
#include "tuning/worker_step.hpp"

namespace tessera::inline v0::tuning {

/// Operands could not be made, which is not the kernel's fault.
class PreparationError : public Error {
 public:
  using Error::Error;
};

/// The device and the operands of a measuring process.
class Measurement {
 public:
  /// `step` is called as each step begins.
  Measurement(const Engine& engine, const Problem& problem, const Policy& policy,
              std::function<void(WorkerStep)> step)
      : policy_(policy), engine_(engine), problem_(problem), step_(std::move(step)) {}

  /// Makes in advance the operands that measure() would otherwise make itself.
  void prepare();
  /// Builds a kernel. On a CPU, also runs the kernel on one element because the runtime compiles at
  /// the first launch.
  Trial build(const KernelChoice& kernel);
  /// Builds, checks and times. `best`: seconds of the best so far.
  Trial measure(const KernelChoice& kernel, double best);
  /// Times a kernel that was measured before, on this or another problem of the operation.
  Trial time(const KernelChoice& kernel, const Problem& problem);
  /// Checks on odd, tall, wide and tiny sizes with operands from `seed`.
  Trial check(const KernelChoice& kernel, std::uint64_t seed);

 private:
  /// A problem with its operands, made when they are first needed.
  struct Prepared {
    Problem problem = {};
    std::unique_ptr<kernels::Workload> workload = {};
  };

  /// Calls `body`; an error that it throws becomes the trial's outcome.
  template <class Body>
  Trial trial(const KernelChoice& kernel, Body&& body);
  kernels::SharedPlan make_ready(const KernelChoice& kernel, Trial& trial);
  kernels::SharedPlan planned(const Problem& problem, const KernelChoice& kernel) const;
  kernels::Workload& prepared(Prepared& slot, const Problem& problem);
  /// Runs on a small problem, then on the whole one; the latter's seconds if both are right.
  double checked_run(const kernels::SharedPlan& plan, Trial& trial);
  /// Seconds of one of the calls that `call()` enqueues, averaged over `times` in a row.
  template <class Call>
  double sample(Call&& call, std::size_t times);
  /// Takes samples until they settle, or only two if they are slow.
  void time_runs(const kernels::SharedPlan& plan, double best, Trial& trial);

  Policy policy_;
  Engine engine_;
  Problem problem_;
  std::function<void(WorkerStep)> step_;
  Prepared whole_, small_, tiny_, other_;
};

}  // namespace tessera::inline v0::tuning
