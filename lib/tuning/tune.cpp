// tune: sets up a problem's space and workers, runs the session, and saves the winner.
#include "tuning/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "kernels/observations.hpp"
#include "kernels/plan.hpp"
#include "kernels/profile.hpp"
#include "kernels/profile_file.hpp"
#include "kernels/resolve.hpp"
#include "operations.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/path.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"
#include "tessera/version.hpp"
#include "tuning/journal.hpp"
#include "tuning/session.hpp"
#include "tuning/worker_pool.hpp"

namespace tessera::inline v0 {
namespace {

using kernels::Operation;
using kernels::Target;
using kernels::Variant;

bool is_wanted(const Parameters& parameters, const TuneOptions& options) {
  return std::ranges::all_of(options.parameters, [&](const auto& wanted) {
    const auto own = parameters.find(wanted.first);
    return own != parameters.end() && own->second == wanted.second;
  });
}

/// Legal configurations, and separately those that variants prefer.
struct Candidates {
  std::vector<KernelChoice> all, preferred;
};

Candidates candidates(const Operation& operation, const Target& target,
                      const TuneOptions& options) {
  if (!options.parameters.empty() && options.variant.empty())
    throw ArgumentError(
        ErrorCode::conflicting_options,
        operation.name + ": parameters were given without the variant that they are for");
  Candidates found;
  if (!options.variant.empty()) {
    const Variant& variant = kernels::find_variant(operation, options.variant);
    kernels::resolve(variant, options.parameters, target);  // throws for unknown parameters
    if (const auto reason = kernels::why_not(variant, target))
      throw UnsupportedError(variant.full_name(), *reason);
  }
  for (const Variant* variant : operation.variants) {
    if (options.variant.empty() ? !kernels::is_searched(*variant, target)
                                : variant->name != options.variant)
      continue;
    bool is_first = true;
    for (Parameters& set : kernels::configurations(*variant, target, Coverage::all)) {
      if (is_wanted(set, options)) {
        found.all.push_back({variant->name, std::move(set)});
        if (is_first) found.preferred.push_back(found.all.back());
      }
      is_first = false;
    }
  }
  return found;
}

/// Throws ArgumentError for a property that no workload has: workers would time another problem.
void check_tunable(const Problem& problem) {
  Problem tunable = problem;
  tunable.leading_dimensions = tunable.batch_strides = tunable.offsets = {};
  tunable.alpha = 1;
  tunable.beta = 0;
  tunable.mode = {.accuracy = problem.mode.accuracy};
  if (problem == tunable) return;
  throw ArgumentError(
      ErrorCode::invalid_value,
      "tune: kernels are tuned for dense operands, alpha 1, beta 0 and the automatic accumulator");
}

std::string now_as_text() {
  using namespace std::chrono;
  const auto now = floor<seconds>(system_clock::now());
  const auto midnight = floor<days>(now);
  const year_month_day day(midnight);
  const hh_mm_ss time(now - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

/// As many processes as can compile alongside the one that times.
unsigned builders_of(const DeviceInfo& device, const TuneOptions& options, unsigned maximum) {
  if (options.builders > 0) return options.builders;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (device.type == DeviceType::cpu) return std::min(cores, maximum);
  // The process that times can reuse their programs only from a cache.
  if (runtime::environment("TESSERA_CACHE") == "off") return 0;
  return std::clamp(cores - 1, 1U, maximum);
}

/// Why the winner is not to be saved; empty if it is.
std::string why_not_saved(const TuneResult& result, const Variant& variant,
                          const tuning::Policy& policy) {
  if (result.best == result.default_kernel) return "the default is the fastest: nothing to save";
  if (!tuning::beats_default(result, policy)) {
    if (result.default_seconds == 0) return "the default was not timed: nothing is saved";
    if (result.speedup_lower == 0) return "too few rounds were in time: nothing is saved";
    return fmt::format(
        "no faster than the default by more than the noise and {:.3g} % ({:.3f} x): nothing is "
        "saved",
        100 * (policy.worth_saving - 1), result.speedup);
  }
  return variant.deterministic ? "" : "not saved: its results are not the same bits on every run";
}

std::vector<kernels::Observation> observations_of(const TuneResult& result) {
  std::vector observations = {
      kernels::own_observation(result.problem, result.best_seconds, result.default_seconds)};
  for (const Neighbour& neighbour : result.neighbours)
    observations.push_back(kernels::observation(neighbour.problem, neighbour.ratio));
  return observations;
}

ProfileEntry entry_of(const TuneResult& result, const Variant& variant) {
  const DeviceInfo& device = result.device;
  const Finalist& winner = result.finalists.front();
  return {.problem = result.problem,
          .kernel = result.best,
          .observations = observations_of(result),
          .seconds = result.best_seconds,
          .lower = winner.lower,
          .upper = winner.upper,
          .default_seconds = result.default_seconds,
          .platform = device.platform,
          .device = device.name,
          .driver = device.driver,
          .simd_width = device.simd_width,
          .source = kernels::source_hash(variant),
          .version = TESSERA_VERSION_STRING,
          .when = now_as_text(),
          .seed = result.seed,
          .evaluations = result.trials.size()};
}

/// Adds the winner to the engine's profile and, if `in_file`, to the profile's file.
void save(const Engine& engine, const Operation& operation, bool in_file,
          const tuning::Policy& policy, TuneResult& result) {
  if (result.finalists.empty()) return;
  const Variant& variant = kernels::find_variant(operation, result.best.variant);
  result.conclusion = why_not_saved(result, variant, policy);
  if (!result.conclusion.empty()) return;
  result.saved = entry_of(result, variant);
  kernels::profile_of(runtime::stream_of(engine)).add(*result.saved);
  const auto path =
      kernels::profile_path(result.device, runtime::stream_of(engine).context().profile());
  if (!in_file || path.empty()) {
    result.conclusion = "in use by this engine, saved in no file";
    return;
  }
  result.conclusion = tuning::append_winner(path, *result.saved);
}

/// Configurations to try first: the default, the profile's, and those that variants prefer.
std::vector<std::size_t> first_of(const tuning::Space& space, const KernelChoice& standard,
                                  const kernels::Proposal* known,
                                  const std::vector<KernelChoice>& preferred) {
  std::vector<std::size_t> first;
  const auto add = [&](const KernelChoice& kernel) {
    if (const auto configuration = space.find(kernel)) first.push_back(*configuration);
  };
  add(standard);
  if (known) add(known->choice);
  for (const KernelChoice& kernel : preferred) add(kernel);
  return first;
}

/// The journal that the caller names; else the usual one, or none if there is no place for it.
tuning::Journal journal_of(const DeviceInfo& device, const Problem& problem,
                           const Operation& operation, const TuneOptions& options,
                           const tuning::Policy& policy) {
  if (!options.journal.empty()) return {options.journal, operation, policy, options.fresh};
  try {
    return {tuning::journal_path(device, problem), operation, policy, options.fresh};
  } catch (const tuning::UnwritableJournal& error) {
    runtime::warn(
        fmt::format("tune: trials are not kept for later tunings: {}; set XDG_STATE_HOME "
                    "to a folder that can be written",
                    error.what()));
    return {operation, error.what()};
  }
}

/// Earlier trials, except build timeouts that would now have more time.
std::vector<Trial> earlier_of(const tuning::Journal& journal, double build_limit) {
  std::vector<Trial> earlier = journal.trials();
  std::erase_if(earlier, [&](const Trial& trial) {
    return trial.outcome == Outcome::build_timeout && trial.build < build_limit;
  });
  return earlier;
}

}  // namespace

std::string tuning::append_winner(const std::filesystem::path& path, const ProfileEntry& entry) {
  try {
    append_profile(path, std::span(&entry, 1));
    return fmt::format("saved in {}", runtime::text_of(path));
  } catch (const Error& error) {
    return fmt::format(
        "in use by this engine, but not saved: {}; TESSERA_PROFILE can name another file",
        error.what());
  }
}

TuneResult tuning::tune(const Engine& engine, const Problem& wanted, const TuneOptions& options,
                        const Policy& policy, const Clock& clock) {
  const Problem problem = canonical(wanted);
  check_tunable(problem);
  return runtime::with_opencl_errors([&] {
    const DeviceInfo& device = engine.device();
    const Operation& operation = find_operation(problem.operation);
    const Target target(capabilities(engine), problem);
    auto [all, preferred] = candidates(operation, target, options);
    const KernelChoice standard = kernels::default_kernel(operation, target, problem);
    // Throws MemoryError before any worker has to.
    runtime::stream_of(engine).check_room(operation.workload_matrices(problem));
    all.push_back(standard);
    const Space space(std::move(all));
    const auto known = kernels::profile_of(runtime::stream_of(engine)).find(operation, problem);
    Journal journal = journal_of(device, problem, operation, options, policy);
    const double build_limit = policy.build_limit(options.budget);
    WorkerPool pool(device, problem, space, journal,
                    {.builders = builders_of(device, options, policy.max_builders),
                     .build_limit = build_limit,
                     .cancel = options.cancel,
                     .policy = policy,
                     .clock = clock});
    TuneResult result = run(
        {.space = space,
         .evaluator = pool,
         .options = options,
         .default_configuration = *space.find(standard),
         .first = first_of(space, standard, known.get(), preferred),
         .nearby = [&](double seconds) { return neighbourhood(problem, device, seconds, policy); },
         .earlier = earlier_of(journal, build_limit),
         .policy = policy},
        problem, device);
    save(engine, operation, options.save, policy, result);
    if (!journal.failure().empty())
      result.conclusion += fmt::format("; the journal is not complete: {}", journal.failure());
    return result;
  });
}

TuneResult tune(const Engine& engine, const Problem& problem, const TuneOptions& options) {
  return tuning::tune(engine, problem, options, tuning::kPolicy, tuning::Clock());
}

}  // namespace tessera::inline v0
