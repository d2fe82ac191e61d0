// tessera tune: the fastest kernels for a device, found within a given time.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/peaks.hpp"
#include "commands/print_json.hpp"
#include "commands/progress.hpp"
#include "commands/tune_line.hpp"
#include "commands/tune_plan.hpp"
#include "element_types.hpp"
#include "exports/kernel_tuner_cache.hpp"
#include "exports/kernel_tuner_reader.hpp"
#include "exports/t4.hpp"
#include "figures.hpp"
#include "files/output_file.hpp"
#include "platform/interruption.hpp"
#include "report/report.hpp"
#include "report/tune_card.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

struct TuneCommand : CommonOptions {
  TuneRequest request;
  std::string variant, budget, strategy = "model", replay, report, t4, cache, command_line;
  std::vector<std::string> settings;
  bool quick = false, thorough = false, fresh = false, dry = false;
  std::uint64_t seed = 1;
  std::size_t evaluations = 0;
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
    throw UsageError("--quick, --thorough and --budget cannot be combined");
  if (!command.budget.empty()) return duration(command.budget);
  return command.quick ? kQuick : command.thorough ? kThorough : kUsual;
}

TuneStrategy strategy_of(const std::string& text) {
  for (const auto strategy : {TuneStrategy::model, TuneStrategy::random, TuneStrategy::full}) {
    if (text == to_string(strategy)) return strategy;
  }
  throw UsageError(fmt::format("no strategy \"{}\"; there are: model, random, full", text));
}

TuneOptions options_of(const TuneCommand& command, double budget, CancelToken cancel) {
  TuneOptions options;
  options.budget = budget;
  options.strategy = strategy_of(command.strategy);
  options.seed = command.seed;
  if (command.evaluations > 0) options.max_evaluations = command.evaluations;
  options.variant = command.variant;
  options.parameters = parse_settings(command.settings);
  options.fresh = command.fresh;
  options.save = !command.dry;
  options.cancel = std::move(cancel);
  return options;
}

std::vector<PlannedProblem> planned_with_progress(const Engine& engine,
                                                  const TuneRequest& request) {
  const ElapsedLine line("choosing sizes");
  return plan_tuning(engine, request);
}

/// Tunes one problem after the other; what one leaves of its time goes to those that follow. An
/// error ends it with those that were tuned before.
std::vector<TunedProblem> tune_all(const TuneCommand& command, FirstError& error) {
  const Interruption interruption;
  const double budget = budget_of(command);
  const auto start = std::chrono::steady_clock::now();
  const auto left = [=] {
    return budget - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Engine engine(EngineOptions{.device = command.device, .profiling = true});
  const std::size_t columns = terminal_of(kStandardOutput).columns;
  const auto planned = planned_with_progress(engine, command.request);
  double weight = 0;
  for (const PlannedProblem& p : planned) weight += p.weight;
  Peaks peaks(engine);
  std::vector<TunedProblem> tuned;
  error.attempt([&] {
    for (const auto& [problem, own_weight] : planned) {
      if (interruption.token().cancelled()) break;
      const Peak peak = peaks.of(problem.types.a);
      auto options =
          options_of(command, std::max(1.0, left() * own_weight / weight), interruption.token());
      weight -= own_weight;
      options.progress = tune_line(problem, peak, {tuned.size() + 1, planned.size()}, left);
      TuneResult result = tune(engine, problem, options);
      options.progress = {};  // takes its line away
      const Peak& final_peak = peaks.after(result);
      tuned.push_back({std::move(result), final_peak});
      if (!command.json)
        fmt::print("{}\n", tune_card(tuned.back().result, tuned.back().peak, columns));
      std::fflush(stdout);
    }
  });
  for (TunedProblem& problem : tuned) problem.peak = peaks.of(problem.result.problem.types.a);
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

ReportOrigin origin_of(const TuneCommand& command) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {.command = command.command_line,
          .budget = budget_of(command),
          .date = std::chrono::duration<double>(now).count()};
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
  if (report) error.attempt([&] { report->write({html_report(tuned, origin_of(command))}); });
  if (t4) error.attempt([&] { t4->write({t4_text(results)}); });
  if (cache && !results.empty())
    error.attempt([&] { cache->write({kernel_tuner_cache(results.back())}); });
  error.attempt([&] {
    if (command.json) return print_problems(tuned);
    if (tuned.size() > 1) fmt::print("{}", tune_summary(tuned));
  });
  error.rethrow();
  const auto missing = std::ranges::count_if(
      results, [](const TuneResult& result) { return result.finalists.empty(); });
  if (missing == 0 && !results.empty()) return done;
  fmt::print(stderr,
             "tessera: no finals for {} of {} within {:.3g} s; a longer --budget may help\n",
             missing, counted(results.size(), "problem"), budget_of(command));
  return check_failed;
}

/// Adds the options that define the problems.
void add_problem_options(CLI::App& command, TuneRequest& request) {
  std::vector<std::string> names, defaults;
  for (const OperationInfo& operation : operations()) {
    names.push_back(operation.name);
    if (operation.tuning_weight > 0) defaults.push_back(operation.name);
  }
  command
      .add_option("OPERATION", request.operation,
                  fmt::format("What to tune: {}; without it {}", fmt::join(names, ", "),
                              fmt::join(defaults, ", ")))
      ->check(not_empty());
  command.add_option("--size", request.sizes, "ROWSxCOLUMNSxK, or one number for all; repeatable")
      ->take_all()
      ->expected(1);
  command
      .add_option("--dtype", request.dtype,
                  "Element type of the operands: " + dtype_help() +
                      "; without it float, and double too if no operation is named")
      ->check(not_empty());
  command.add_option("--out-dtype", request.out_dtype, out_dtype_help())->check(not_empty());
  command.add_flag("--transpose-a", request.transpose_a, "op(A) is A's transpose");
  command.add_flag("--transpose-b", request.transpose_b, "op(B) is B's transpose");
  command.add_option("--batch", request.batch, "Products in one call")
      ->check(CLI::Range(1u, 1000000u));
}

/// Adds the options of the search.
void add_search_options(CLI::App& command, TuneCommand& options) {
  command.add_option("--variant", options.variant, "Tune only this variant")->check(not_empty());
  command
      .add_option("--set", options.settings, "Tune only with this value of a parameter: TILE=16")
      ->take_all()
      ->expected(1);
  command.add_option("--budget", options.budget,
                     "Time for all problems together: 90s, 2m; without it 120s");
  command.add_flag("--quick", options.quick,
                   "A budget of 20 seconds: on a CPU, often enough only to continue a search");
  command.add_flag("--thorough", options.thorough, "A budget of 15 minutes");
  command.add_option("--max-evaluations", options.evaluations,
                     "Maximum number of configurations per problem");
  command.add_option("--strategy", options.strategy,
                     "Order of the search: model (default), random or full");
  command.add_option("--seed", options.seed, "Seed of the search; 1 without it");
  command.add_flag("--fresh", options.fresh, "Discard what earlier runs measured");
  command.add_flag("--dry-run", options.dry, "Save nothing in the profile");
  command
      .add_option("--replay", options.replay,
                  "Search in a file that --kernel-tuner-cache has written, without a device")
      ->check(not_empty());
}

/// Adds the options that name output files.
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

void add_tune(CLI::App& app, int& status, const std::string& command_line) {
  auto* command = app.add_subcommand("tune", "Find the fastest kernels for a device, and use them");
  auto options = std::make_shared<TuneCommand>();
  options->command_line = command_line;
  add_common(*command, *options);
  add_problem_options(*command, options->request);
  add_search_options(*command, *options);
  add_outputs(*command, *options);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
