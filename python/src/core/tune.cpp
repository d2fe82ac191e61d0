// Tuning in Python.
#include "host_array.hpp"
#include "interruptible.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

/// A tuning, and whether Ctrl-C ended it.
struct Tuning {
  ts::TuneResult result;
  bool interrupted = false;
};

nb::dict dict_of(const ts::Trial& trial) {
  nb::dict made;
  made["kernel"] = to_string(trial.kernel);
  made["outcome"] = to_string(trial.outcome);
  made["reason"] = trial.reason;
  made["seconds"] = trial.runs.empty() ? nb::none() : nb::object(nb::float_(trial.seconds()));
  made["runs"] = trial.runs;
  made["build"] = trial.build;
  made["ended"] = trial.ended;
  made["from_journal"] = trial.from_journal;
  return made;
}

nb::dict dict_of(const ts::Finalist& finalist) {
  nb::dict made;
  made["kernel"] = to_string(finalist.kernel);
  made["seconds"] = finalist.seconds;
  made["lower"] = finalist.lower;
  made["upper"] = finalist.upper;
  made["tied"] = finalist.tied;
  return made;
}

template <class Entries>
nb::list dicts_of(const Entries& entries) {
  nb::list made;
  for (const auto& entry : entries) made.append(dict_of(entry));
  return made;
}

/// A TuneProgress that Python may keep.
struct TuneState {
  std::string stage;
  double elapsed, budget;
  std::size_t tried, space;
  std::optional<double> best_seconds, default_seconds;
  nb::object last;
};

TuneState copy_of(const ts::TuneProgress& state) {
  using Stage = ts::TuneProgress::Stage;
  TuneState made{.stage = state.stage == Stage::search   ? "search"
                          : state.stage == Stage::finals ? "finals"
                                                         : "check",
                 .elapsed = state.elapsed,
                 .budget = state.budget,
                 .tried = state.tried,
                 .space = state.space,
                 .last = state.last == nullptr ? nb::none() : nb::object(dict_of(*state.last))};
  if (state.best != nullptr) made.best_seconds = state.best->seconds();
  if (state.default_seconds > 0) made.default_seconds = state.default_seconds;
  return made;
}

ts::Problem problem_of(const nb::dict& given) {
  ts::Problem problem;
  problem.operation = argument<std::string>(given["operation"], "operation");
  problem.types = ts::ProductTypes(element_type_of(given["dtype"], "tune"));
  const auto size = [&](const char* name) { return argument<std::size_t>(given[name], name); };
  problem.m = size("m");
  problem.n = size("n");
  problem.k = size("k");
  problem.batch = size("batch");
  problem.op_a = ts::op_if(nb::cast<bool>(given["transpose_a"]));
  problem.op_b = ts::op_if(nb::cast<bool>(given["transpose_b"]));
  problem.mode.accuracy = accuracy_of(argument<std::string>(given["accuracy"], "accuracy"));
  return problem;
}

ts::TuneOptions options_of(const nb::dict& given) {
  const ts::KernelChoice only = kernel_of(given["kernel"]);
  ts::TuneOptions options{
      .budget = argument<double>(given["budget"], "budget"),
      .strategy =
          enumerator("strategy", argument<std::string>(given["strategy"], "strategy"),
                     {ts::TuneStrategy::model, ts::TuneStrategy::random, ts::TuneStrategy::full}),
      .seed = argument<std::uint64_t>(given["seed"], "seed"),
      .variant = only.variant,
      .parameters = only.parameters,
      .fresh = nb::cast<bool>(given["fresh"]),
      .save = nb::cast<bool>(given["save"])};
  const nb::object most = given["max_evaluations"], journal = given["journal"];
  if (!most.is_none()) options.max_evaluations = argument<std::size_t>(most, "max_evaluations");
  if (!journal.is_none()) options.journal = nb::cast<std::string>(nb::str(journal));
  return options;
}

Tuning tune(const ts::Engine& engine, const nb::dict& given, nb::handle progress) {
  const ts::CancelSource cancel;
  const ts::Problem problem = problem_of(given);
  ts::TuneOptions options = options_of(given);
  options.cancel = cancel.token();
  Interruption failed;  // in progress()
  if (!progress.is_none()) {
    options.progress = [&, progress](const ts::TuneProgress& state) {
      const nb::gil_scoped_acquire acquired;
      if (failed) return;
      try {
        progress(copy_of(state));
      } catch (nb::python_error& error) {
        failed.emplace(std::move(error));
        cancel.cancel();
      }
    };
  }
  Interruption interruption;
  Tuning tuning{
      interruptible(cancel, interruption, [&] { return ts::tune(engine, problem, options); })};
  if (failed) throw std::move(*failed);
  if (interruption && !interruption->matches(PyExc_KeyboardInterrupt))
    throw std::move(*interruption);
  tuning.interrupted = interruption.has_value();
  return tuning;
}

void bind_progress(nb::module_& module) {
  nb::class_<TuneState>(module, "TuneProgress", "The state of a tuning.")
      .def_ro("stage", &TuneState::stage, "``\"search\"``, ``\"finals\"`` or ``\"check\"``.")
      .def_ro("elapsed", &TuneState::elapsed, "Seconds.")
      .def_ro("budget", &TuneState::budget, "Seconds.")
      .def_ro("tried", &TuneState::tried, "Configurations so far.")
      .def_ro("space", &TuneState::space, "Legal configurations.")
      .def_ro("best_seconds", &TuneState::best_seconds,
              "Of the best kernel so far; None until one is good.")
      .def_ro("default_seconds", &TuneState::default_seconds,
              "Of the default kernel; None until it is known.")
      .def_prop_ro(
          "last", [](const TuneState& state) { return state.last; },
          nb::sig("def last(self) -> dict[str, typing.Any] | None"),
          "The last trial, as in ``TuneResult.trials``; None in the finals.");
}

template <class Member>
auto reads(Member ts::TuneResult::*member) {
  return [member](const Tuning& tuning) { return tuning.result.*member; };
}

using Result = ts::TuneResult;

void bind_winner(nb::class_<Tuning>& tuning) {
  tuning
      .def_prop_ro(
          "problem", [](const Tuning& of) { return describe(of.result.problem); },
          "The problem in words.")
      .def_prop_ro("device", reads(&Result::device), "The device.")
      .def_prop_ro(
          "best", [](const Tuning& of) { return to_string(of.result.best); },
          "The winner, as ``kernel=`` accepts it.")
      .def_prop_ro(
          "default", [](const Tuning& of) { return to_string(of.result.default_kernel); },
          "The kernel without tuning.")
      .def_prop_ro("best_seconds", reads(&Result::best_seconds), "Median, from the finals.")
      .def_prop_ro("default_seconds", reads(&Result::default_seconds), "Median, from the finals.")
      .def_prop_ro("speedup", reads(&Result::speedup),
                   "The default's time divided by the winner's, median of paired rounds.")
      .def_prop_ro(
          "speedup_interval",
          [](const Tuning& of) {
            return nb::make_tuple(of.result.speedup_lower, of.result.speedup_upper);
          },
          nb::sig("def speedup_interval(self) -> tuple[float, float]"),
          "The 95 % interval of the speedup; 0 to infinity after too few rounds.");
}

void bind_trials(nb::class_<Tuning>& tuning) {
  tuning.def_prop_ro("space", reads(&Result::space), "Legal configurations.")
      .def_prop_ro(
          "trials", [](const Tuning& of) { return dicts_of(of.result.trials); },
          nb::sig("def trials(self) -> list[dict[str, typing.Any]]"),
          "All trials in the order they finished: kernel, outcome, reason, seconds, runs, build,\n"
          "ended and from_journal.")
      .def_prop_ro(
          "finalists", [](const Tuning& of) { return dicts_of(of.result.finalists); },
          nb::sig("def finalists(self) -> list[dict[str, typing.Any]]"),
          "The fastest configurations, timed again: kernel, seconds, lower, upper and tied.")
      .def_prop_ro(
          "saved", [](const Tuning& of) { return of.result.saved.has_value(); },
          "Whether the winner was appended to the profile.")
      .def_prop_ro("conclusion", reads(&Result::conclusion),
                   "One line: the file of the saved winner, or why nothing was saved.")
      .def_prop_ro("elapsed", reads(&Result::elapsed), "Seconds.")
      .def_ro("interrupted", &Tuning::interrupted, "Ctrl-C ended the search.")
      .def("__repr__",
           [](const Tuning& of) {
             return nb::str("TuneResult({}: {}, {:.3g} x the default)")
                 .format(describe(of.result.problem), to_string(of.result.best), of.result.speedup);
           })
      .def(
          "_repr_html_",
          [](nb::handle self) { return call_python("tessera_cl._repr", "tuning", self); },
          nb::sig("def _repr_html_(self) -> str"));
}

}  // namespace

void bind_tune(nb::module_& module) {
  bind_progress(module);
  nb::class_<Tuning> tuning(module, "TuneResult",
                            "The result of a tuning. Trials and finalists are lists of dicts.");
  bind_winner(tuning);
  bind_trials(tuning);
  module.def("tune_with", tune, "engine"_a, "options"_a, "progress"_a.none(),
             nb::sig("def tune_with(engine: Engine, options: dict[str, typing.Any], progress:"
                     " collections.abc.Callable[[TuneProgress], object] | None) -> TuneResult"),
             "A tuning, with all options in a dict.");
}

}  // namespace tessera_py
