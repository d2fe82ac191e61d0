// Builds, checks and times a kernel, by events cross-checked against the host's clock.
#include "tuning/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "kernels/planner.hpp"
#include "operations.hpp"
#include "runtime/opencl_error.hpp"
#include "tuning/statistics.hpp"

namespace tessera::inline v0::tuning {
namespace {

using Calls = kernels::Workload::Calls;
using SteadyClock = std::chrono::steady_clock;

double since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// True if the last three samples are within a fraction `settled` of each other.
bool is_settled(const std::vector<double>& samples, double settled) {
  if (samples.size() < 3) return false;
  const auto [minimum, maximum] = std::minmax(
      {samples[samples.size() - 1], samples[samples.size() - 2], samples[samples.size() - 3]});
  return maximum <= (1 + settled) * minimum;
}

/// Runs of `seconds` each that make up a sample of `sample` seconds.
std::size_t runs_of_a_sample(double sample, double seconds) {
  return static_cast<std::size_t>(
      std::clamp(std::ceil(sample / std::max(seconds, 1e-9)), 1.0, 1000.0));
}

/// Waits for a failed kernel's commands and drops their errors, which are not the next kernel's.
void clear_failures(const Engine& engine) {
  try {
    engine.finish();
  } catch (const OpenClError&) {
  }
}

Problem no_larger_than(Problem problem, std::size_t extent) {
  for (std::size_t* own : {&problem.m, &problem.n, &problem.k}) *own = std::min(*own, extent);
  return problem;
}

}  // namespace

template <class Body>
Trial Measurement::trial(const KernelChoice& kernel, Body&& body) {
  Trial trial{.kernel = kernel};
  const auto fail = [&](Outcome outcome, const std::string& reason) {
    trial.outcome = outcome;
    trial.reason = reason;
  };
  try {
    body(trial);
  } catch (const BuildError& error) {
    fail(Outcome::build_failed, error.what());
  } catch (const UnsupportedError& error) {
    fail(Outcome::resources, error.what());
  } catch (const MemoryError& error) {
    fail(Outcome::resources, error.what());
  } catch (const OpenClError& error) {
    fail(engine_.lost() ? Outcome::crashed : Outcome::resources, error.what());
    clear_failures(engine_);
  }
  return trial;
}

kernels::SharedPlan Measurement::make_ready(const KernelChoice& kernel, Trial& trial) {
  // Before the timer starts: build time is charged to the kernel.
  const bool compiles_late = engine_.device().type == DeviceType::cpu;
  if (compiles_late) prepared(tiny_, no_larger_than(problem_, 1));
  const auto start = SteadyClock::now();
  step_(WorkerStep::building);
  auto plan = planned(problem_, kernel);
  // A CPU's runtime compiles at the first launch. Another device may be busy timing right now.
  if (compiles_late) {
    step_(WorkerStep::first_run);
    tiny_.workload->run(plan).finished.wait();
  }
  trial.build = since(start);
  return plan;
}

kernels::SharedPlan Measurement::planned(const Problem& problem, const KernelChoice& kernel) const {
  return runtime::with_opencl_errors([&] {
    return kernels::plan(runtime::stream_of(engine_), find_operation(problem.operation), problem,
                         kernel);
  });
}

kernels::Workload& Measurement::prepared(Prepared& slot, const Problem& problem) {
  if (slot.workload && slot.problem == problem) return *slot.workload;
  step_(WorkerStep::preparing);
  slot.workload.reset();
  try {
    slot.workload = find_operation(problem.operation).workload(engine_, problem, 1);
    // Poisons after all allocations because memory is committed only on first touch.
    slot.workload->poison();
    engine_.finish();
  } catch (const Error& error) {
    throw PreparationError(error.code(), error.what());
  }
  slot.problem = problem;
  return *slot.workload;
}

Trial Measurement::build(const KernelChoice& kernel) {
  return trial(kernel, [&](Trial& result) { make_ready(kernel, result); });
}

/// Event times longer than the host's, or shorter than any run, are wrong, so the host's are used
/// instead.
template <class Call>
double Measurement::sample(Call&& call, std::size_t times) {
  const auto start = SteadyClock::now();
  const Calls first = call();
  Event last = first.run.finished;
  for (std::size_t i = 1; i < times; i++) last = call().run.finished;
  last.wait();
  const auto calls = static_cast<double>(times * first.number);
  const double host = since(start) / calls;
  engine_.finish();  // throws if an earlier run has failed
  const double device = seconds_between(first.run.started, last).value_or(0) / calls;
  return device >= policy_.shortest_run ? std::min(device, host) : host;
}

void Measurement::time_runs(const kernels::SharedPlan& plan, double best, Trial& trial) {
  kernels::Workload& whole = *whole_.workload;
  // runs[0] is the checked run: its time determines how many runs make a sample.
  const std::size_t times = runs_of_a_sample(policy_.sample, trial.runs[0]);
  std::vector<double> samples;
  const auto is_slow = [&] { return median(samples) > policy_.slow * best; };
  const auto settled = [&] { return is_settled(samples, policy_.settled); };
  const auto start = SteadyClock::now();
  do {
    samples.push_back(sample([&] { return whole.run_timed(plan); }, times));
    if (samples.size() == 2 && is_slow()) break;
  } while (samples.size() < policy_.max_samples && !settled() &&
           (samples.size() < 2 || since(start) < policy_.all_samples));
  // Discards the samples before the clock settled; if it never did, the first quarter.
  const auto before = settled() ? samples.size() - 3 : samples.size() / 4;
  samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(before));
  trial.runs = std::move(samples);
}

double Measurement::checked_run(const kernels::SharedPlan& plan, Trial& trial) {
  double seconds = 0;
  for (Prepared* slot : {&small_, &whole_}) {
    const bool is_whole = slot == &whole_;
    const Problem problem = is_whole ? problem_ : no_larger_than(problem_, policy_.small_extent);
    if (!is_whole && problem == problem_) continue;  // the whole problem is checked in full
    kernels::Workload& workload = prepared(*slot, problem);
    workload.poison();
    step_(WorkerStep::running);
    seconds = sample([&] { return Calls{workload.run(plan)}; }, 1);
    step_(WorkerStep::checking);
    trial.reason = workload.compare();
    if (trial.reason.empty()) continue;
    trial.outcome = Outcome::wrong;
    break;
  }
  return seconds;
}

Trial Measurement::measure(const KernelChoice& kernel, double best) {
  return trial(kernel, [&](Trial& result) {
    const auto plan = make_ready(kernel, result);
    prepared(whole_, problem_);
    auto start = SteadyClock::now();
    const double first = checked_run(plan, result);
    result.check = since(start);
    if (result.outcome != Outcome::ok) return;
    result.runs = {first};
    // A long first run is as good as any; a short one is mostly launch overhead.
    const bool is_hopeless = first > policy_.hopeless * best && first > policy_.long_run;
    if (!is_hopeless && first < policy_.all_samples) {
      start = SteadyClock::now();
      step_(WorkerStep::timing);
      time_runs(plan, best, result);
      result.timing = since(start);
    }
    if (result.seconds() > policy_.slow * best) result.outcome = Outcome::slow;
  });
}

void Measurement::prepare() {
  const Problem small = no_larger_than(problem_, policy_.small_extent);
  if (small != problem_) prepared(small_, small);
  prepared(whole_, problem_);
}

Trial Measurement::time(const KernelChoice& kernel, const Problem& problem) {
  return trial(kernel, [&](Trial& result) {
    kernels::Workload& timed = prepared(problem == problem_ ? whole_ : other_, problem);
    step_(WorkerStep::timing);
    const auto plan = planned(problem, kernel);
    const auto run = [&] { return timed.run_timed(plan); };
    result.runs = {sample(run, runs_of_a_sample(policy_.sample, sample(run, 1)))};
  });
}

Trial Measurement::check(const KernelChoice& kernel, std::uint64_t seed) {
  return trial(kernel, [&](Trial& result) {
    const kernels::Operation& operation = find_operation(problem_.operation);
    for (const CheckCase& check_case : operation.final_cases(problem_, kernel.parameters, seed)) {
      step_(WorkerStep::first_run);  // of another program: its build counts
      const auto failure =
          operation.check(engine_, check_case, planned(check_case.problem, kernel)).failure;
      if (failure.empty()) continue;
      result.outcome = Outcome::wrong;
      result.reason = describe(check_case) + ": " + failure;
      return;
    }
  });
}

}  // namespace tessera::inline v0::tuning
