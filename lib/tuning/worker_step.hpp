// Worker step: what a worker is doing, how long it may, and what comes of a kernel that is stopped.
#pragma once

#include <optional>
#include <string_view>

#include "tessera/tune.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

enum class WorkerStep {
  starting,   ///< the process opens the device
  building,   ///< the compiler is at the kernel
  preparing,  ///< operands are made on the device
  first_run,  ///< a launch of one element, in which a CPU's runtime compiles
  running,    ///< the first runs that are checked
  checking,   ///< the host compares what they wrote
  timing,     ///< runs that are timed
};

/// Of which clock a step's limit is.
enum class StepLimit { start, build, host, run };

struct StepRow {
  WorkerStep step;
  std::string_view name;
  StepLimit limit;
  /// Of a kernel whose worker goes over the limit, or dies, in it; nothing where that is no
  /// kernel's fault: then another worker tries it again.
  std::optional<Outcome> stopped, crashed;
};

const StepRow& row_of(WorkerStep step);
/// Nothing for a name that no step has.
std::optional<WorkerStep> step_of(std::string_view name);

/// Seconds that a step may take. `best`: seconds of the best kernel so far, infinite where there is
/// none: then a run may take as long as a build.
double limit_of(WorkerStep step, const Policy& policy, double build_limit, double best);

}  // namespace tessera::inline v0::tuning
