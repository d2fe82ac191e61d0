// tessera check: every variant on edge cases against a reference.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <tessera/check.hpp>
#include <tessera/error.hpp>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/print_json.hpp"
#include "commands/progress.hpp"
#include "element_types.hpp"
#include "figures.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions : CommonOptions {
  std::string operation, variant, dtype;
  std::vector<std::string> settings;
  bool all = false;
  std::size_t largest = std::numeric_limits<std::size_t>::max();
};

/// What came of one variant with one type.
struct Report {
  std::string operation, variant;
  ElementType type;
  std::size_t configurations = 0, refused = 0, check_cases = 0;
  double worst = 0;                         // error / bound
  std::string skipped, unsupported_reason;  // why; of a refused configuration, the last
  std::vector<std::string> failures;
};

/// Work-groups that the device allows can be over what it allows for the kernel, once that is
/// built: such parameters are refused at the first trial, which is no failure unless they are the
/// defaults.
void try_configuration(const Engine& engine, const Parameters& parameters,
                       const std::vector<CheckCase>& cases, Progress& progress, Report& report) {
  const bool is_default = report.configurations == 0;
  report.configurations++;
  for (const CheckCase& check_case : cases) {
    std::string failure;
    progress.update(report.check_cases, fmt::format("{} {} {}", report.variant, name(report.type),
                                                    text_of(parameters)));
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

void print(const Report& report) {
  const std::string what =
      fmt::format("{}/{:<21} {:<7}", report.operation, report.variant, name(report.type));
  if (!report.skipped.empty()) {
    fmt::print("skipped {} {}\n", what, one_line(report.skipped));
  } else {
    const std::string refused =
        report.refused > 0
            ? fmt::format(" ({} refused: {})", report.refused, one_line(report.unsupported_reason))
            : "";
    fmt::print("{:<7} {} {} configurations{}, {} trials, largest error {:.2f} of the bound\n",
               report.failures.empty() ? "ok" : "FAILED", what, report.configurations, refused,
               report.check_cases, report.worst);
  }
  for (const std::string& failure : report.failures) fmt::print("        {}\n", one_line(failure));
  std::fflush(stdout);
}

Json json_of(const Report& report) {
  return {{"operation", report.operation},
          {"variant", report.variant},
          {"dtype", name(report.type)},
          {"result", !report.skipped.empty()   ? "skipped"
                     : report.failures.empty() ? "ok"
                                               : "failed"},
          {"reason", report.skipped},
          {"configurations", report.configurations},
          {"refused", report.refused},
          {"unsupported_reason", report.unsupported_reason},
          {"trials", report.check_cases},
          {"worst", report.worst},
          {"failures", report.failures}};
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

Report check(const Engine& engine, const std::string& operation, const VariantInfo& variant,
             ElementType type, const CheckOptions& options) {
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
  std::vector<std::vector<CheckCase>> cases;
  std::size_t all_trials = 0;
  for (const Parameters& parameters : sets) {
    cases.push_back(check_cases(operation, type, parameters, cases.empty(), options.largest));
    for (CheckCase& check_case : cases.back()) check_case.problem.mode.accuracy = mode.accuracy;
    std::erase_if(cases.back(), [&](const CheckCase& check_case) {
      return !variant.runs_on(engine, type, check_case.problem.mode);
    });
    all_trials += cases.back().size();
  }
  Progress progress(all_trials);
  for (std::size_t i = 0; i < sets.size(); i++) {
    try_configuration(engine, sets[i], cases[i], progress, report);
  }
  return report;
}

struct Subject {
  const std::string* operation;
  const VariantInfo* variant;
  ElementType type;
};

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
    throw UsageError("--set goes with --variant, and not with --all");
  }
  const auto subjects = subjects_of(options);
  for (const Subject& subject : subjects)
    check_settings(*subject.variant, parse_settings(options.settings));
  const Engine engine(EngineOptions{.device = options.device});
  const DeviceInfo& device = engine.device();
  if (!options.json) fmt::print("{} ({})\n", one_line(device.name), one_line(device.platform));
  std::vector<Report> reports;
  for (const auto& [operation, variant, type] : subjects) {
    reports.push_back(check(engine, *operation, *variant, type, options));
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
  command->add_option("--operation", options->operation, "Only this operation");
  command->add_option("--variant", options->variant, "Only this variant");
  command->add_option(
      "--dtype", options->dtype,
      "Only this type: float, double, half, int32 or int8 (float32, float64, float16 too)");
  command->add_option("--largest", options->largest, "No dimension above this");
  command->add_option("--set", options->settings, "A parameter of the variant: TILE=16")
      ->take_all()
      ->expected(1);
  command->add_flag("--all", options->all, "Every value of every parameter, not only the defaults");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
