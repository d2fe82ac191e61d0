// tessera check: every variant on edge cases against a reference.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <tessera/check.hpp>
#include <tessera/error.hpp>
#include <utility>

#include "commands/apart.hpp"
#include "commands/check_report.hpp"
#include "commands/check_subjects.hpp"
#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/full_name.hpp"
#include "commands/print_json.hpp"
#include "commands/progress.hpp"
#include "element_types.hpp"
#include "figures.hpp"
#include "platform/system.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;
using Report = CheckReport;
using Subject = CheckSubject;

struct CheckOptions : CommonOptions {
  std::string operation, variant, dtype, out_dtype;
  std::vector<std::string> settings;
  bool all = false;
  std::size_t largest = std::numeric_limits<std::size_t>::max();
};

/// The limit for a kernel is known only once it is built, and can be lower than the device's.
/// Larger work-groups are refused at the first trial. This is a failure only with the default
/// parameters.
void try_configuration(const Engine& engine, const Parameters& parameters,
                       const std::vector<CheckCase>& cases,
                       const std::function<void(const std::string&)>& before_trial,
                       Report& report) {
  const bool is_default = report.configurations == 0;
  report.configurations++;
  for (const CheckCase& check_case : cases) {
    const auto trial = one_line(fmt::format("{}: {}", text_of(parameters), describe(check_case)));
    std::string failure;
    before_trial(trial);
    try {
      const CheckResult result = tessera::check(engine, check_case, {report.variant, parameters});
      report.worst = std::max(report.worst, result.verification.worst);
      failure = result.failure;
    } catch (const UnsupportedError& error) {
      if (!is_default && &check_case == &cases.front()) {
        report.refused++;
        report.unsupported_reason = error.what();
        return;
      }
      failure = error.what();
    } catch (const Error& error) {
      failure = error.what();
    }
    report.check_cases++;
    if (!failure.empty()) report.failures.push_back(fmt::format("{}: {}", trial, failure));
  }
}

/// Throws UsageError if --set names a parameter that the variant does not have.
void check_settings(const VariantInfo& variant, const Parameters& settings) {
  const auto known = variant.parameters();
  for (const auto& [name, value] : settings) {
    const auto parameter = std::ranges::find(known, name, &ParameterInfo::name);
    if (parameter == known.end())
      throw UsageError(fmt::format("--set {}: {} has no such parameter", name, variant.name()));
    if (std::ranges::find(parameter->candidates, value) == parameter->candidates.end()) {
      throw UsageError(fmt::format("--set {}={}: the values are {}", name, value,
                                   fmt::join(parameter->candidates, ", ")));
    }
  }
}

/// The legal set with `settings`. If there is none, the defaults with `settings`, which the library
/// refuses with a reason.
Parameters resolved(const Engine& engine, const VariantInfo& variant, const ProductTypes& types,
                    const Parameters& settings, const Mode& mode) {
  try {
    return variant.resolve(engine, types, settings, mode);
  } catch (const UnsupportedError&) {
    Parameters set = variant.resolve(engine, types, {}, mode);
    for (const auto& [name, value] : settings) set[name] = value;
    return set;
  }
}

/// The parameter sets to try: a few with every value, what --set says, or the defaults.
std::vector<Parameters> sets_of(const Engine& engine, const VariantInfo& variant,
                                const ProductTypes& types, const CheckOptions& options,
                                const Mode& mode) {
  const Parameters settings = parse_settings(options.settings);
  if (!settings.empty()) return {resolved(engine, variant, types, settings, mode)};
  return variant.configurations(engine, types,
                                options.all ? Coverage::every_candidate : Coverage::defaults, mode);
}

/// Progress of the whole check, in configurations: building them takes most of the time.
class CheckCourse {
 public:
  void plan(const Engine& engine, const std::vector<Subject>& subjects,
            const CheckOptions& options) {
    std::size_t all = 0;
    for (const auto& [operation, variant, types] : subjects) {
      before_.push_back(all);
      const Mode mode = check_mode(engine, *variant, types);
      if (variant->runs_on(engine, types, mode))
        all += sets_of(engine, *variant, types, options, mode).size();
    }
    line_.set_total(all);
  }
  /// `done` configurations of the subject are behind us.
  void tell(std::size_t subject, std::size_t done, const std::string& note) {
    line_.update(before_[subject] + done, note);
  }
  void clear() { line_.clear(); }

 private:
  Progress line_;
  std::vector<std::size_t> before_;  // each subject
};

/// Before anything is known of it.
Report report_on(const Subject& subject) {
  return {.operation = *subject.operation,
          .variant = subject.variant->name(),
          .types = subject.types,
          .skipped = {},
          .unsupported_reason = {},
          .failures = {}};
}

/// Calls tell(configurations that are done, the one at hand, the trial) before each trial.
Report check(const Engine& engine, const Subject& subject, const CheckOptions& options,
             const std::function<void(std::size_t, const std::string&, const std::string&)>& tell) {
  const auto& [operation, checked, types] = subject;
  const VariantInfo& variant = *checked;
  Report report = report_on(subject);
  const Mode mode = check_mode(engine, variant, types);
  if (const Verdict verdict = variant.runs_on(engine, types, mode); !verdict) {
    report.skipped = verdict.reason;
    return report;
  }
  const auto sets = sets_of(engine, variant, types, options, mode);
  for (const Parameters& parameters : sets) {
    auto cases =
        check_cases(*operation, types, parameters, &parameters == &sets.front(), options.largest);
    for (CheckCase& check_case : cases) check_case.problem.mode.accuracy = mode.accuracy;
    std::erase_if(cases, [&](const CheckCase& check_case) {
      return !variant.runs_on(engine, types, check_case.problem.mode);
    });
    const std::string note = fmt::format("{} {} {}", full_name(*operation, variant.name()),
                                         to_string(types), text_of(parameters));
    try_configuration(
        engine, parameters, cases,
        [&, done = report.configurations](const std::string& trial) { tell(done, note, trial); },
        report);
  }
  return report;
}

/// Checks in other processes, so that a driver that crashes or hangs costs only a report. `device`
/// becomes its name.
std::vector<Report> check_apart(const std::vector<Subject>& subjects, const CheckOptions& options,
                                std::string& device) {
  std::vector<Report> reports;
  const auto add = [&](Report report) {
    if (!options.json) print(report);
    reports.push_back(std::move(report));
  };
  std::optional<Engine> engine;
  std::optional<CheckCourse> course;
  work_apart(
      subjects.size(),
      {.open =
           [&] {
             engine.emplace(EngineOptions{.device = options.device});
             course.emplace().plan(*engine, subjects, options);
             set_environment("TESSERA_SELF_CHECK", "off");  // this process is one that may crash
             return one_line(engine->device().name) + '\t' + one_line(engine->device().platform);
           },
       .work =
           [&](std::size_t i, const Apart::Note& note) {
             const auto tell = [&](std::size_t done, const std::string& at_hand,
                                   const std::string& trial) {
               course->tell(i, done, at_hand);
               note(trial);
             };
             const Report report = check(*engine, subjects[i], options, tell);
             course->clear();
             return json_of(report).dump(-1, ' ', false, Json::error_handler_t::replace);
           },
       .close = [&] { engine.reset(); },
       .opened =
           [&](const std::string& opened) {
             device = opened.substr(0, opened.find('\t'));
             if (options.json) return;
             fmt::print("{} ({})\n", device, opened.substr(opened.find('\t') + 1));
             print_header();
           },
       .done =
           [&](std::size_t i, const std::string& json) {
             add(with_json(report_on(subjects[i]), Json::parse(json)));
           },
       .crashed =
           [&](std::size_t i, const std::string& trial, const std::string& fate) {
             Report report = report_on(subjects[i]);
             report.failures = {fmt::format("{}: crashed: the process {}", trial, fate)};
             add(std::move(report));
           }});
  return reports;
}

int run(const CheckOptions& options) {
  if (options.largest < 16) throw UsageError("--largest must be at least 16");
  if (!options.settings.empty() && (options.variant.empty() || options.all)) {
    throw UsageError("--set needs --variant, and cannot be combined with --all");
  }
  const auto subjects = check_subjects(options.operation, options.variant,
                                       requested_types(options.dtype, options.out_dtype));
  for (const Subject& subject : subjects)
    check_settings(*subject.variant, parse_settings(options.settings));
  std::string device;
  const std::vector<Report> reports = check_apart(subjects, options, device);
  const auto count = [&](auto predicate) { return std::ranges::count_if(reports, predicate); };
  const auto failed = count([](const Report& report) { return !report.failures.empty(); });
  const auto skipped = count([](const Report& report) { return !report.skipped.empty(); });
  const auto passed = static_cast<std::ptrdiff_t>(reports.size()) - failed - skipped;
  if (options.json) {
    Json checks = Json::array();
    for (const Report& report : reports) checks.push_back(json_of(report));
    const Json document = {{"device", device},
                           {"checks", std::move(checks)},
                           {"passed", passed},
                           {"failed", failed},
                           {"skipped", skipped}};
    print_json(document);
  } else {
    fmt::print("{} ok, {} failed, {} skipped\n", passed, failed, skipped);
  }
  return failed == 0 && passed > 0 ? done : check_failed;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("check", "Check the variants against a reference on edge cases");
  auto options = std::make_shared<CheckOptions>();
  add_common(*command, *options);
  command->add_option("--operation", options->operation,
                      "Check only this operation (tessera devices lists them)");
  command->add_option("--variant", options->variant, "Check only this variant");
  command->add_option("--dtype", options->dtype,
                      "Check only operands of this element type: " + dtype_help());
  command->add_option("--out-dtype", options->out_dtype, "Check only results of this element type");
  command->add_option("--largest", options->largest, "Largest dimension, at least 16");
  command->add_option("--set", options->settings, "A parameter of the variant: TILE=16")
      ->take_all()
      ->expected(1);
  command->add_flag("--all", options->all,
                    "Check every value of every parameter, not only the defaults");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
