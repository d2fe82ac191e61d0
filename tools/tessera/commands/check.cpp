// tessera check: every variant on edge cases against a reference.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <tessera/check.hpp>
#include <tessera/error.hpp>
#include <utility>

#include "commands/check_report.hpp"
#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/full_name.hpp"
#include "commands/print_json.hpp"
#include "commands/progress.hpp"
#include "element_types.hpp"
#include "figures.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;
using Report = CheckReport;

struct CheckOptions : CommonOptions {
  std::string operation, variant, dtype;
  std::vector<std::string> settings;
  bool all = false;
  std::size_t largest = std::numeric_limits<std::size_t>::max();
};

/// Work-groups that the device allows can be over what it allows for the kernel, once that is
/// built: such parameters are refused at the first trial, which is no failure unless they are the
/// defaults.
void try_configuration(const Engine& engine, const Parameters& parameters,
                       const std::vector<CheckCase>& cases,
                       const std::function<void()>& before_case, Report& report) {
  const bool is_default = report.configurations == 0;
  report.configurations++;
  for (const CheckCase& check_case : cases) {
    std::string failure;
    before_case();
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
    if (!failure.empty()) {
      report.failures.push_back(
          fmt::format("{}: {}: {}", text_of(parameters), describe(check_case), failure));
    }
  }
}

/// Throws UsageError for --set with what the variant does not have.
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

/// The legal set with `settings`; where there is none, the defaults with them, which the library
/// refuses in words.
Parameters resolved(const Engine& engine, const VariantInfo& variant, ElementType type,
                    const Parameters& settings, const Mode& mode) {
  try {
    return variant.resolve(engine, type, settings, mode);
  } catch (const UnsupportedError&) {
    Parameters set = variant.resolve(engine, type, {}, mode);
    for (const auto& [name, value] : settings) set[name] = value;
    return set;
  }
}

/// The parameter sets to try: a few with every value, what --set says, or the defaults.
std::vector<Parameters> sets_of(const Engine& engine, const VariantInfo& variant, ElementType type,
                                const CheckOptions& options, const Mode& mode) {
  const Parameters settings = parse_settings(options.settings);
  if (!settings.empty()) return {resolved(engine, variant, type, settings, mode)};
  return variant.configurations(engine, type,
                                options.all ? Coverage::every_candidate : Coverage::defaults, mode);
}

struct Subject {
  const std::string* operation;
  const VariantInfo* variant;
  ElementType type;
};

/// How far the whole check is, in configurations: building one takes most of its time.
class CheckCourse {
 public:
  void plan(const Engine& engine, const std::vector<Subject>& subjects,
            const CheckOptions& options) {
    std::size_t all = 0;
    for (const auto& [operation, variant, type] : subjects) {
      before_.push_back(all);
      const Mode mode = check_mode(engine, *variant, type);
      if (variant->runs_on(engine, type, mode))
        all += sets_of(engine, *variant, type, options, mode).size();
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

Report check(const Engine& engine, const std::string& operation, const VariantInfo& variant,
             ElementType type, const CheckOptions& options,
             const std::function<void(std::size_t, const std::string&)>& tell) {
  Report report{.operation = operation,
                .variant = variant.name(),
                .type = type,
                .skipped = {},
                .unsupported_reason = {},
                .failures = {}};
  const Mode mode = check_mode(engine, variant, type);
  if (const Verdict verdict = variant.runs_on(engine, type, mode); !verdict) {
    report.skipped = verdict.reason;
    return report;
  }
  const auto sets = sets_of(engine, variant, type, options, mode);
  for (const Parameters& parameters : sets) {
    auto cases =
        check_cases(operation, type, parameters, &parameters == &sets.front(), options.largest);
    for (CheckCase& check_case : cases) check_case.problem.mode.accuracy = mode.accuracy;
    std::erase_if(cases, [&](const CheckCase& check_case) {
      return !variant.runs_on(engine, type, check_case.problem.mode);
    });
    const std::string note = fmt::format("{} {} {}", full_name(operation, variant.name()),
                                         name(type), text_of(parameters));
    try_configuration(
        engine, parameters, cases, [&, done = report.configurations] { tell(done, note); }, report);
  }
  return report;
}

/// What --operation, --variant and --dtype leave; throws UsageError where that is nothing.
std::vector<Subject> subjects_of(const CheckOptions& options) {
  const auto wanted = [](const std::string& option, std::string_view name) {
    return option.empty() || option == name;
  };
  std::vector<ElementType> types;
  for (const std::string& dtype : element_type_names()) {
    const ElementType type = element_type(dtype);
    if (options.dtype.empty() || type == element_type(options.dtype)) types.push_back(type);
  }
  std::vector<Subject> subjects;
  for (const OperationInfo& operation : operations()) {
    for (const VariantInfo& variant : operation.variants) {
      if (!wanted(options.operation, operation.name) || !wanted(options.variant, variant.name()))
        continue;
      for (const ElementType type : types) {
        if (std::ranges::find(operation.types, type) != operation.types.end())
          subjects.push_back({&operation.name, &variant, type});
      }
    }
  }
  if (subjects.empty()) {
    throw UsageError(fmt::format(
        "nothing to check: no operation \"{}\" with a variant \"{}\" (tessera devices lists them)",
        options.operation, options.variant));
  }
  return subjects;
}

int run(const CheckOptions& options) {
  if (options.largest < 16) throw UsageError("--largest must be at least 16");
  if (!options.settings.empty() && (options.variant.empty() || options.all)) {
    throw UsageError("--set needs --variant, and cannot be combined with --all");
  }
  const auto subjects = subjects_of(options);
  for (const Subject& subject : subjects)
    check_settings(*subject.variant, parse_settings(options.settings));
  const Engine engine(EngineOptions{.device = options.device});
  const DeviceInfo& device = engine.device();
  if (!options.json) {
    fmt::print("{} ({})\n", one_line(device.name), one_line(device.platform));
    print_header();
  }
  CheckCourse course;
  course.plan(engine, subjects, options);
  std::vector<Report> reports;
  for (const auto& [operation, variant, type] : subjects) {
    const auto tell = [&](std::size_t done, const std::string& note) {
      course.tell(reports.size(), done, note);
    };
    Report report = check(engine, *operation, *variant, type, options, tell);
    course.clear();
    reports.push_back(std::move(report));
    if (!options.json) print(reports.back());
  }
  const auto count = [&](auto predicate) { return std::ranges::count_if(reports, predicate); };
  const auto failed = count([](const Report& report) { return !report.failures.empty(); });
  const auto skipped = count([](const Report& report) { return !report.skipped.empty(); });
  const auto passed = static_cast<std::ptrdiff_t>(reports.size()) - failed - skipped;
  if (options.json) {
    Json checks = Json::array();
    for (const Report& report : reports) checks.push_back(json_of(report));
    const Json document = {{"device", device.name},
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
  command->add_option(
      "--dtype", options->dtype,
      "Check only this type: float, double, half, int32 or int8 (float32, float64, float16 too)");
  command->add_option("--largest", options->largest, "Largest dimension, at least 16");
  command->add_option("--set", options->settings, "A parameter of the variant: TILE=16")
      ->take_all()
      ->expected(1);
  command->add_flag("--all", options->all,
                    "Check every value of every parameter, not only the defaults");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
