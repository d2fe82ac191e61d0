// tessera tune: the fastest kernels for a device, found within a given time.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/print_json.hpp"
#include "commands/progress.hpp"
#include "commands/tune_plan.hpp"
#include "exports/kernel_tuner_cache.hpp"
#include "exports/kernel_tuner_reader.hpp"
#include "exports/t4.hpp"
#include "figures.hpp"
#include "files/output_file.hpp"
#include "report/report.hpp"
#include "report/tune_card.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

struct TuneCommand : CommonOptions {
  TuneRequest request;
  std::string variant, budget, strategy = "model", replay, report, t4, cache;
  std::vector<std::string> settings;
  bool quick = false, thorough = false, fresh = false, dry = false;
  std::uint64_t seed = 1;
  std::size_t evaluations = 0;
};

/// Ends the search at the first Ctrl-C, the program at the second. Lives before any other thread
/// does, so that all inherit that the signals are blocked.
class Interruption {
 public:
  Interruption() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    waiter_ = std::jthread([this](const std::stop_token& over) {
      constexpr timespec kTick{0, 50'000'000};
      while (!over.stop_requested()) {
        if (::sigtimedwait(&signals_, nullptr, &kTick) < 0) continue;
        source_.request_stop();
        ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
      }
    });
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t signals_;
  std::stop_source source_;
  std::jthread waiter_;
};

/// Keeps the first of the errors, so that one step that fails does not take the others with it.
class FirstError {
 public:
  template <class Step>
  void attempt(Step step) {
    try {
      step();
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
};

double budget_of(const TuneCommand& command) {
  constexpr double kQuick = 20, kUsual = 120, kThorough = 900;
  if (static_cast<int>(command.quick) + static_cast<int>(command.thorough) +
          static_cast<int>(!command.budget.empty()) >
      1)
    throw UsageError("--quick, --thorough and --budget: only one of them");
  if (!command.budget.empty()) return duration(command.budget);
  return command.quick ? kQuick : command.thorough ? kThorough : kUsual;
}

TuneStrategy strategy_of(const std::string& text) {
  for (const auto strategy : {TuneStrategy::model, TuneStrategy::random, TuneStrategy::full}) {
    if (text == name(strategy)) return strategy;
  }
  throw UsageError(fmt::format("no strategy \"{}\"; there are: model, random, full", text));
}

/// "best 412 GFLOP/s (71 % of the peak), ok 52, slow 31, build failed 3"; `counts` of all outcomes.
std::string state_of(const Trial* best, const Measure& measure, const Peak& peak,
                     const std::vector<std::size_t>& counts) {
  std::vector<std::string> parts;
  if (best != nullptr) {
    const auto share = measure.share(best->seconds(), peak);
    parts.push_back("best " + measure.text(best->seconds()));
    if (share) parts.back() += fmt::format(" ({} % of the peak)", three_digits(100 * *share));
  }
  for (const Outcome outcome : outcomes()) {
    if (const std::size_t count = counts[static_cast<std::size_t>(outcome)]; count > 0)
      parts.push_back(fmt::format("{} {}", name(outcome), count));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Shows where the tuner is, on standard error.
std::function<void(const TuneProgress&)> live_line(const Problem& problem, const Peak& peak) {
  struct State {
    Progress line;
    std::vector<std::size_t> counts = std::vector<std::size_t>(outcomes().size());
  };
  auto state = std::make_shared<State>();
  return [=, measure = measure_of(problem)](const TuneProgress& progress) {
    if (progress.last != nullptr) state->counts[static_cast<std::size_t>(progress.last->outcome)]++;
    const double left = std::max(0.0, progress.budget - progress.elapsed);
    const char* stage = progress.stage == TuneProgress::Stage::search   ? ""
                        : progress.stage == TuneProgress::Stage::finals ? "finals, "
                                                                        : "last check, ";
    state->line.say(fmt::format("{}{} / {}, {:.0f} s left, {}", stage, progress.tried,
                                progress.space, left,
                                state_of(progress.best, measure, peak, state->counts)));
  };
}

TuneOptions options_of(const TuneCommand& command, double budget, std::stop_token stop) {
  TuneOptions options;
  options.budget = budget;
  options.strategy = strategy_of(command.strategy);
  options.seed = command.seed;
  if (command.evaluations > 0) options.max_evaluations = command.evaluations;
  options.variant = command.variant;
  options.parameters = parse_settings(command.settings);
  options.fresh = command.fresh;
  options.save = !command.dry;
  options.stop = std::move(stop);
  return options;
}

/// Tunes one problem after the other; what one leaves of its time goes to those that follow. An
/// error ends it with those that were tuned before.
std::vector<TunedProblem> tune_all(const TuneCommand& command, FirstError& error) {
  const Interruption interruption;
  const double budget = budget_of(command);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Engine engine(EngineOptions{.device = command.device, .profiling = true});
  const auto planned = plan_tuning(engine, command.request);
  double weight = 0;
  for (const PlannedProblem& p : planned) weight += p.weight;
  std::map<ElementType, Peak> peaks;
  std::vector<TunedProblem> tuned;
  error.attempt([&] {
    for (const PlannedProblem& p : planned) {
      const Problem& problem = p.problem;
      if (interruption.token().stop_requested()) break;
      if (!peaks.contains(problem.type)) peaks[problem.type] = measure_peak(engine, problem.type);
      auto options = options_of(command, std::max(1.0, (budget - elapsed()) * p.weight / weight),
                                interruption.token());
      weight -= p.weight;
      options.progress = live_line(problem, peaks[problem.type]);
      tuned.push_back({tune(engine, problem, options), peaks[problem.type]});
      options.progress = {};  // takes its line away
      if (!command.json) fmt::print("{}\n", tune_card(tuned.back().result, tuned.back().peak));
      std::fflush(stdout);
    }
  });
  return tuned;
}

std::vector<TunedProblem> replay_one(const TuneCommand& command, FirstError& error) {
  const Recording recording = read_kernel_tuner_cache(read_file(command.replay), command.replay);
  auto options = options_of(command, budget_of(command), {});
  std::vector<TunedProblem> tuned = {{replay(recording.problem, recording.device, recording.trials,
                                             options, recording.default_kernel)}};
  if (!command.json) error.attempt([&] { fmt::print("{}\n", tune_card(tuned[0].result)); });
  return tuned;
}

void print_problems(const std::vector<TunedProblem>& tuned) {
  auto document = nlohmann::ordered_json::array();
  for (const TunedProblem& problem : tuned)
    document.push_back(tune_json(problem.result, problem.peak));
  print_json(nlohmann::ordered_json{{"problems", document}});
}

int run(const TuneCommand& command) {
  std::optional<OutputFile> report, t4, cache;
  if (!command.report.empty()) report.emplace(command.report);
  if (!command.t4.empty()) t4.emplace(command.t4);
  if (!command.cache.empty()) cache.emplace(command.cache);
  strategy_of(command.strategy);
  FirstError error;
  const auto tuned = command.replay.empty() ? tune_all(command, error) : replay_one(command, error);
  if (tuned.empty()) error.rethrow();  // nothing takes the place of files that are there

  std::vector<TuneResult> results;
  for (const TunedProblem& problem : tuned) results.push_back(problem.result);
  if (report) error.attempt([&] { report->write({html_report(tuned)}); });
  if (t4) error.attempt([&] { t4->write({t4_text(results)}); });
  if (cache && !results.empty())
    error.attempt([&] { cache->write({kernel_tuner_cache(results.back())}); });
  if (command.json) error.attempt([&] { print_problems(tuned); });
  error.rethrow();
  const bool all_found = std::ranges::none_of(
      results, [](const TuneResult& result) { return result.finalists.empty(); });
  return all_found && !results.empty() ? done : check_failed;
}

/// What is tuned.
void add_problem_options(CLI::App& command, TuneRequest& request) {
  command
      .add_option("OPERATION", request.operation,
                  "What to tune; without it multiply and the rounds of the eigenpair")
      ->check(not_empty());
  command.add_option("--size", request.sizes, "ROWSxCOLUMNSxK, or one number for all; repeatable")
      ->take_all()
      ->expected(1);
  command
      .add_option("--dtype", request.dtype,
                  "float, double, half, int32 or int8 (float32, float64, float16 too)")
      ->check(not_empty());
  command.add_flag("--transpose-a", request.transpose_a, "op(A) is A's transpose");
  command.add_flag("--transpose-b", request.transpose_b, "op(B) is B's transpose");
  command.add_option("--batch", request.batch, "Products in one call")
      ->check(CLI::Range(1u, 1000000u));
}

/// How it is searched.
void add_search_options(CLI::App& command, TuneCommand& options) {
  command.add_option("--variant", options.variant, "The only variant to try")->check(not_empty());
  command.add_option("--set", options.settings, "Only with this value of a parameter: TILE=16")
      ->take_all()
      ->expected(1);
  command.add_option("--budget", options.budget, "Time for everything: 90s, 2m; without it 120s");
  command.add_flag("--quick", options.quick, "20 seconds");
  command.add_flag("--thorough", options.thorough, "15 minutes");
  command.add_option("--max-evaluations", options.evaluations,
                     "Maximum number of configurations per problem");
  command.add_option("--strategy", options.strategy, "model, random or full");
  command.add_option("--seed", options.seed, "Seed of the search");
  command.add_flag("--fresh", options.fresh, "Forget what earlier runs have measured");
  command.add_flag("--dry-run", options.dry, "Save nothing in the profile");
  command
      .add_option("--replay", options.replay,
                  "Search in a file that --kernel-tuner-cache has written, without a device")
      ->check(not_empty());
}

/// What is written of it.
void add_outputs(CLI::App& command, TuneCommand& options) {
  command.add_option("--report", options.report, "Write an HTML page to this file")
      ->check(not_empty());
  command.add_option("--t4", options.t4, "Write all trials as T4 results")->check(not_empty());
  command
      .add_option("--kernel-tuner-cache", options.cache,
                  "Write the last problem's trials as a Kernel Tuner cache")
      ->check(not_empty());
}

}  // namespace

void add_tune(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("tune", "Find the fastest kernels for a device, and use them");
  auto options = std::make_shared<TuneCommand>();
  add_common(*command, *options);
  add_problem_options(*command, options->request);
  add_search_options(*command, *options);
  add_outputs(*command, *options);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
