// Building, checking and timing a kernel by events, with the host's clock beside them.
#include "tuning/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "kernels/plan.hpp"
#include "operations.hpp"
#include "runtime/opencl_error.hpp"
#include "tessera/error.hpp"
#include "tuning/statistics.hpp"

namespace tessera::inline v0::tuning {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSample = 1e-3;   // seconds of a sample at the least
constexpr double kEnough = 0.25;   // seconds of all samples of a kernel, about
constexpr double kSettled = 0.02;  // how near to each other three samples are
constexpr std::size_t kMaxSamples = 9;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Are the last three within kSettled of each other?
bool settled(const std::vector<double>& samples) {
  if (samples.size() < 3) return false;
  const auto [minimum, maximum] = std::minmax(
      {samples[samples.size() - 1], samples[samples.size() - 2], samples[samples.size() - 3]});
  return maximum <= (1 + kSettled) * minimum;
}

/// As many as make a sample long enough for the clocks.
std::size_t runs_of_a_sample(double seconds) {
  return static_cast<std::size_t>(
      std::clamp(std::ceil(kSample / std::max(seconds, 1e-9)), 1.0, 1000.0));
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
  }
  return trial;
}

void Measurement::make_ready(const KernelChoice& kernel, Trial& trial) {
  const auto start = Clock::now();
  stage_("building");
  runtime::with_opencl_errors([&] {
    kernels::plan(*engine_.stream(), find_operation(problem_.operation), problem_.type, kernel);
  });
  // A CPU's runtime compiles at the first launch; another device may be timing at the moment.
  if (engine_.device().type == DeviceType::cpu) {
    stage_("running");
    if (!tiny_) {
      TuneProblem tiny = problem_;
      tiny.rows = tiny.columns = tiny.k = 1;
      tiny_ = make_workload(engine_, tiny, 1);
    }
    tiny_->run(kernel).finished.wait();
  }
  trial.build = since(start);
}

/// The tuner's, or another one; of others the latest is kept.
kernels::Workload& Measurement::workload(const TuneProblem& problem) {
  const bool is_other = problem != problem_;
  auto& workload = is_other ? other_ : whole_;
  if (workload && (!is_other || others_ == problem)) return *workload;
  stage_("preparing");
  workload.reset();
  workload = make_workload(engine_, problem, 1);
  if (is_other) others_ = problem;
  return *workload;
}

Trial Measurement::build(const KernelChoice& kernel) {
  return trial(kernel, [&](Trial& result) { make_ready(kernel, result); });
}

/// Seconds of one call, from as many in a row. Where the host saw less time pass than the events
/// tell, they are wrong.
double Measurement::sample(kernels::Workload& workload, const KernelChoice& kernel,
                           std::size_t times) {
  const auto start = Clock::now();
  const KernelRun first = workload.run(kernel);
  Event last = first.finished;
  for (std::size_t i = 1; i < times; i++) last = workload.run(kernel).finished;
  last.wait();
  const double host = since(start);
  const double device = seconds_between(first.started, last).value_or(host);
  return (device > 0 ? std::min(device, host) : host) / static_cast<double>(times);
}

std::vector<double> Measurement::settled_runs(kernels::Workload& workload,
                                              const KernelChoice& kernel) {
  const std::size_t times = runs_of_a_sample(sample(workload, kernel, 1));
  std::vector<double> samples;
  const auto start = Clock::now();
  while (samples.size() < kMaxSamples && !settled(samples) &&
         (samples.size() < 2 || since(start) < kEnough))
    samples.push_back(sample(workload, kernel, times));
  // What came before the clock had settled does not count; where it never did, all but the first.
  const auto before = settled(samples) ? samples.size() - 3 : samples.size() / 4;
  samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(before));
  return samples;
}

Trial Measurement::measure(const KernelChoice& kernel, double best) {
  return trial(kernel, [&](Trial& result) {
    make_ready(kernel, result);
    auto start = Clock::now();
    kernels::Workload& whole = workload(problem_);
    stage_("running");
    result.reason = whole.check(kernel);
    result.check = since(start);
    if (!result.reason.empty()) {
      result.outcome = Outcome::wrong;
      return;
    }
    start = Clock::now();
    stage_("timing");
    result.runs = {sample(whole, kernel, 1)};
    if (result.runs[0] > kGiveUp * best) result.runs.push_back(sample(whole, kernel, 1));
    if (result.seconds() > kGiveUp * best) {
      result.outcome = Outcome::slow;
    } else {
      result.runs = settled_runs(whole, kernel);
    }
    result.timing = since(start);
  });
}

Trial Measurement::time(const KernelChoice& kernel, const TuneProblem& problem) {
  return trial(kernel, [&](Trial& result) {
    kernels::Workload& timed = workload(problem);
    stage_("timing");
    result.runs = {sample(timed, kernel, runs_of_a_sample(sample(timed, kernel, 1)))};
  });
}

Trial Measurement::check(const KernelChoice& kernel, std::uint64_t seed) {
  return trial(kernel, [&](Trial& result) {
    stage_("checking");
    for (const CheckCase& check_case : last_cases(problem_, kernel, seed)) {
      const auto failure = check_case.run(engine_, kernel).failure;
      if (failure.empty()) continue;
      result.outcome = Outcome::wrong;
      result.reason = check_case.description + ": " + failure;
      return;
    }
  });
}

}  // namespace tessera::inline v0::tuning
