// Tuning, profiles and checks in C.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"
#include "kernels/profile_file.hpp"
#include "runtime/path.hpp"
#include "runtime/stream.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C

struct tessera_tuning {
  tessera::TuneResult result;
  std::string best = to_string(result.best), default_kernel = to_string(result.default_kernel);
  std::vector<std::string> kernels = {};
  std::vector<double> seconds = {};

  explicit tessera_tuning(tessera::TuneResult tuned) : result(std::move(tuned)) {
    for (const auto& trial : result.trials) {
      kernels.push_back(to_string(trial.kernel));
      seconds.push_back(trial.good() ? trial.seconds() : std::numeric_limits<double>::infinity());
    }
  }
};

struct tessera_profile {
  struct Read {
    std::string file;
    std::vector<tessera::ProfileEntry> entries;
    std::vector<std::string> problems, kernels, reasons;
  } read;
};

namespace {

tessera::TuneOptions tune_options_of(const tessera_tune_options* given) {
  const auto options = read<tessera_tune_options>(given, TESSERA_TUNE_OPTIONS_INIT);
  need_zero(options.reserved);
  tessera::TuneOptions made{
      .budget = options.budget,
      .strategy = enumerator("strategy", options.strategy, tessera::TuneStrategy::full),
      .seed = options.seed,
      .variant = options.variant != nullptr ? options.variant : "",
      .fresh = options.fresh != 0,
      .save = options.save != 0,
      .journal = options.journal != nullptr ? options.journal : "",
      .cancel = token_of(options.cancel)};
  if (options.max_evaluations != 0) made.max_evaluations = options.max_evaluations;
  if (options.progress == nullptr) return made;
  const tessera::CancelSource ended;
  made.cancel = either_of(made.cancel, ended.token());
  made.progress = [progress = options.progress, user = options.user,
                   ended](const tessera::TuneProgress& now) {
    const tessera_tune_state state{now.elapsed,
                                   now.budget,
                                   now.tried,
                                   now.space,
                                   now.best != nullptr ? now.best->seconds() : -1,
                                   now.default_seconds,
                                   static_cast<std::int32_t>(now.stage),
                                   0};
    if (progress(&state, user) != 0) ended.cancel();
  };
  return made;
}

/// The file that the engine reads and writes; empty if there is none.
std::string engine_profile(const tessera::Engine& engine) {
  return tessera::runtime::text_of(tessera::kernels::profile_path(
      engine.device(), tessera::runtime::stream_of(engine).context().profile()));
}

tessera_profile::Read read_entries(const tessera::Engine& engine, const char* file) {
  tessera_profile::Read made;
  made.file = file != nullptr ? std::string(file) : engine_profile(engine);
  if (!made.file.empty())
    made.entries = tessera::read_profile(tessera::runtime::path_of(made.file));
  for (const auto& entry : made.entries) {
    made.problems.push_back(tessera::to_json(entry.problem));
    made.kernels.push_back(to_string(entry.kernel));
    made.reasons.push_back(tessera::why_not_used(engine, entry));
  }
  return made;
}

const char* text_at(const std::vector<std::string>& texts, std::size_t index) {
  return index < texts.size() ? texts[index].c_str() : nullptr;
}
const tessera::Trial* trial_of(const tessera_tuning* tuning, std::size_t index) {
  return tuning != nullptr && index < tuning->result.trials.size() ? &tuning->result.trials[index]
                                                                   : nullptr;
}
const tessera::ProfileEntry* entry_of(const tessera_profile* profile, std::size_t index) {
  return profile != nullptr && index < profile->read.entries.size() ? &profile->read.entries[index]
                                                                    : nullptr;
}

}  // namespace

tessera_status tessera_tune(tessera_tuning** tuning, const tessera_engine* engine,
                            const char* problem, const tessera_tune_options* options,
                            tessera_error** error) {
  return create(tuning, error, [&] {
    need(problem, "the problem");
    return tessera::tune(get(engine), tessera::problem_from_json(problem),
                         tune_options_of(options));
  });
}
const char* tessera_tuning_best(const tessera_tuning* tuning) {
  return tuning != nullptr ? tuning->best.c_str() : "";
}
const char* tessera_tuning_default(const tessera_tuning* tuning) {
  return tuning != nullptr ? tuning->default_kernel.c_str() : "";
}
double tessera_tuning_speedup(const tessera_tuning* tuning) {
  return tuning != nullptr ? tuning->result.speedup : 1;
}
double tessera_tuning_speedup_lower(const tessera_tuning* tuning) {
  return tuning != nullptr ? tuning->result.speedup_lower : 1;
}
double tessera_tuning_speedup_upper(const tessera_tuning* tuning) {
  return tuning != nullptr ? tuning->result.speedup_upper : 1;
}
const char* tessera_tuning_conclusion(const tessera_tuning* tuning) {
  return tuning != nullptr ? tuning->result.conclusion.c_str() : "";
}
std::size_t tessera_tuning_count(const tessera_tuning* tuning) {
  return tuning != nullptr ? tuning->result.trials.size() : 0;
}
const char* tessera_tuning_kernel(const tessera_tuning* tuning, std::size_t index) {
  return tuning != nullptr ? text_at(tuning->kernels, index) : nullptr;
}
double tessera_tuning_seconds(const tessera_tuning* tuning, std::size_t index) {
  return trial_of(tuning, index) != nullptr ? tuning->seconds[index]
                                            : std::numeric_limits<double>::infinity();
}
const char* tessera_tuning_outcome(const tessera_tuning* tuning, std::size_t index) {
  const auto* const trial = trial_of(tuning, index);
  // A literal: it ends with 0.
  return trial != nullptr ? tessera::to_string(trial->outcome).data() : nullptr;
}
const char* tessera_tuning_reason(const tessera_tuning* tuning, std::size_t index) {
  const auto* const trial = trial_of(tuning, index);
  return trial != nullptr ? trial->reason.c_str() : nullptr;
}
void tessera_tuning_destroy(tessera_tuning* tuning) { destroy(tuning); }

tessera_status tessera_profile_create(tessera_profile** profile, const tessera_engine* engine,
                                      const char* file, tessera_error** error) {
  return create(profile, error, [&] { return read_entries(get(engine), file); });
}
const char* tessera_profile_file(const tessera_profile* profile) {
  return profile != nullptr ? profile->read.file.c_str() : "";
}
std::size_t tessera_profile_count(const tessera_profile* profile) {
  return profile != nullptr ? profile->read.entries.size() : 0;
}
const char* tessera_profile_problem(const tessera_profile* profile, std::size_t index) {
  return profile != nullptr ? text_at(profile->read.problems, index) : nullptr;
}
const char* tessera_profile_kernel(const tessera_profile* profile, std::size_t index) {
  return profile != nullptr ? text_at(profile->read.kernels, index) : nullptr;
}
double tessera_profile_seconds(const tessera_profile* profile, std::size_t index) {
  const auto* const entry = entry_of(profile, index);
  return entry != nullptr ? entry->seconds : 0;
}
double tessera_profile_default_seconds(const tessera_profile* profile, std::size_t index) {
  const auto* const entry = entry_of(profile, index);
  return entry != nullptr ? entry->default_seconds : 0;
}
const char* tessera_profile_why_not_used(const tessera_profile* profile, std::size_t index) {
  return profile != nullptr ? text_at(profile->read.reasons, index) : nullptr;
}
void tessera_profile_destroy(tessera_profile* profile) { destroy(profile); }

tessera_status tessera_check(const tessera_engine* engine, const char* problem, const char* kernel,
                             std::uint64_t seed, double* worst, tessera_error** error) {
  if (worst != nullptr) *worst = -1;
  return guarded(error, [&] {
    need(problem, "the problem");
    const auto result =
        tessera::check(get(engine), {.problem = tessera::problem_from_json(problem), .seed = seed},
                       kernel_of(kernel));
    if (worst != nullptr) *worst = result.verification.worst;
    if (!result.failure.empty()) {
      throw tessera::UnsupportedError(result.ran.operation() + "/" + result.ran.variant(),
                                      result.failure, tessera::ErrorCode::failed_check);
    }
  });
}
