// The table of a worker's steps.
#include "tuning/worker_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tessera::inline v0::tuning {
namespace {

constexpr std::array<StepRow, 7> kSteps = {
    {{WorkerStep::starting, "starting", StepLimit::start, {}, {}},
     {WorkerStep::building, "building", StepLimit::build, Outcome::build_timeout, Outcome::crashed},
     {WorkerStep::preparing, "preparing operands", StepLimit::host, {}, {}},
     {WorkerStep::first_run, "its first run", StepLimit::build, Outcome::run_timeout,
      Outcome::crashed},
     {WorkerStep::running, "running", StepLimit::run, Outcome::run_timeout, Outcome::crashed},
     {WorkerStep::checking, "checking", StepLimit::host, {}, Outcome::crashed},
     {WorkerStep::timing, "timing", StepLimit::run, Outcome::run_timeout, Outcome::crashed}}};

}  // namespace

const StepRow& row_of(WorkerStep step) { return kSteps[static_cast<std::size_t>(step)]; }

std::optional<WorkerStep> step_of(std::string_view name) {
  const auto row = std::ranges::find(kSteps, name, &StepRow::name);
  if (row == kSteps.end()) return std::nullopt;
  return row->step;
}

double limit_of(WorkerStep step, const Policy& policy, double build_limit, double best) {
  switch (row_of(step).limit) {
    case StepLimit::start: return std::max(policy.start_limit, build_limit);
    case StepLimit::build: return build_limit;
    case StepLimit::host: return policy.host_limit;
    case StepLimit::run: break;
  }
  return std::isfinite(best) ? std::max(policy.min_run_limit, policy.run_limit_factor * best)
                             : build_limit;
}

}  // namespace tessera::inline v0::tuning
