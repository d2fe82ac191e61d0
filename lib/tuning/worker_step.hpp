// Worker step: what a worker is doing, its time limit, and the outcome of a kernel stopped in it.
#pragma once

#include <optional>
#include <string_view>

#include "tessera/tune.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

enum class WorkerStep {
  starting,   ///< the process opens the device
  building,   ///< the kernel is being compiled
  preparing,  ///< operands are made on the device
  first_run,  ///< a launch of one element, in which a CPU's runtime compiles
  running,    ///< the first runs that are checked
  checking,   ///< the host compares what they wrote
  timing,     ///< runs that are timed
};

/// The limit of the policy that applies to a step.
enum class StepLimit { start, build, host, run };

struct StepRow {
  WorkerStep step;
  std::string_view name;
  StepLimit limit;
  /// Outcome of a kernel whose worker exceeds the limit, or dies, in this step; nothing if that is
  /// not the kernel's fault: then another worker tries it again.
  std::optional<Outcome> stopped, crashed;
};

const StepRow& row_of(WorkerStep step);
/// Nothing if no step has that name.
std::optional<WorkerStep> step_of(std::string_view name);

/// Seconds that a step may take. `best`: seconds of the best kernel so far, infinite if there is
/// none: then a run may take as long as a build.
double limit_of(WorkerStep step, const Policy& policy, double build_limit, double best);

}  // namespace tessera::inline v0::tuning
