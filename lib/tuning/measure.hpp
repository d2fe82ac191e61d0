// Measure: one kernel built, checked and timed, in the process that may die of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/workload.hpp"
#include "tessera/tune.hpp"

namespace tessera::inline v0::tuning {

/// A right kernel that takes longer than this many times the best is given up.
constexpr double kGiveUp = 1.25;

/// What a process that measures has at hand.
class Measurement {
 public:
  /// `stage` is told what begins: "building", "preparing", "running",
  /// "timing", "checking".
  Measurement(const Engine& engine, const TuneProblem& problem,
              std::function<void(const char*)> stage)
      : engine_(engine), problem_(problem), stage_(std::move(stage)) {}

  /// Builds and runs a kernel on one element: what a runtime compiles late is compiled then.
  Trial build(const KernelChoice& kernel);
  /// Builds, checks and times. `best`: seconds of the best so far.
  Trial measure(const KernelChoice& kernel, double best);
  /// Times what was measured before, on this or another problem of the operation.
  Trial time(const KernelChoice& kernel, const TuneProblem& problem);
  /// Checks on odd, tall, wide and tiny sizes with operands of `seed`.
  Trial check(const KernelChoice& kernel, std::uint64_t seed);

 private:
  /// Calls `body`; what it throws becomes the attempt's outcome.
  template <class Body>
  Trial trial(const KernelChoice& kernel, Body&& body);
  void make_ready(const KernelChoice& kernel, Trial& trial);
  kernels::Workload& workload(const TuneProblem& problem);
  double sample(kernels::Workload& workload, const KernelChoice& kernel, std::size_t times);
  std::vector<double> settled_runs(kernels::Workload& workload, const KernelChoice& kernel);

  Engine engine_;
  TuneProblem problem_;
  std::function<void(const char*)> stage_;
  std::unique_ptr<kernels::Workload> whole_, tiny_, other_;
  TuneProblem others_;  // of other_
};

}  // namespace tessera::inline v0::tuning
