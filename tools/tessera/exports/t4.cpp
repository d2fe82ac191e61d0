// Writing trials as T4 results.
#include "exports/t4.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tessera/version.hpp>

#include "exports/tune_json.hpp"
#include "figures.hpp"

namespace tessera::tool {
namespace {

std::string_view invalidity(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
    case Outcome::slow: return "correct";
    case Outcome::wrong: return "correctness";
    case Outcome::build_failed: return "compile";
    case Outcome::build_timeout:
    case Outcome::run_timeout: return "timeout";
    case Outcome::resources:
    case Outcome::crashed: break;
  }
  return "runtime";
}

Json times_of(const Trial& trial) {
  Json runs = Json::array();
  for (const double run : trial.runs) {
    if (std::isfinite(run)) runs.push_back(milliseconds(run));
  }
  const double build = milliseconds(trial.build);
  return {{"compilation_time", build},
          {"compilation", build},
          {"benchmark", milliseconds(trial.timing)},
          {"framework", 0},
          {"search_algorithm", 0},
          {"validation", milliseconds(trial.check)},
          {"runtimes", std::move(runs)}};
}

Json measurements_of(const Trial& trial, const Measure& measure) {
  Json all = Json::array();
  if (!timed(trial)) return all;
  const auto add = [&](std::string_view name, double value, std::string_view unit) {
    all.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  };
  const std::string unit = fmt::format("G{}", measure.unit);
  add("time", milliseconds(trial.seconds()), "ms");
  add(unit, rounded(1e-9 * measure.rate(trial.seconds())), unit);
  if (trial.outcome == Outcome::slow) add("abandoned", 1, "");
  return all;
}

Json json_of(const Trial& trial, const Problem& problem, const Measure& measure) {
  Json configuration = {{"variant", trial.kernel.variant}};
  for (const auto& [name, value] : trial.kernel.parameters) configuration[name] = value;
  Json json = {{"timestamp", timestamp(trial.ended)},
               {"configuration", std::move(configuration)},
               {"objectives", Json::array({"time"})},
               {"times", times_of(trial)},
               {"invalidity", invalidity(trial.outcome)},
               {"correctness", trial.good() ? 1 : 0},
               {"measurements", measurements_of(trial, measure)},
               {"problem", describe(problem)},
               {"outcome", to_string(trial.outcome)}};
  if (!trial.reason.empty()) json["reason"] = trial.reason;
  return json;
}

Json metadata_of(std::span<const TuneResult> results) {
  const DeviceInfo device = results.empty() ? DeviceInfo() : results.front().device;
  double ended = 0;
  Json problems = Json::array();
  for (const TuneResult& result : results) {
    problems.push_back(tool::json_of(result.problem));
    for (const Trial& trial : result.trials) ended = std::max(ended, trial.ended);
  }
  return {{"compute_api", "OpenCL"},        {"platform", device.platform},
          {"device", device.name},          {"driver_version", device.driver},
          {"autotuner", "Tessera"},         {"autotuner_version", TESSERA_VERSION_STRING},
          {"timestamp", timestamp(ended)},  {"timeunit", "milliseconds"},
          {"problems", std::move(problems)}};
}

}  // namespace

std::string t4_text(std::span<const TuneResult> results) {
  std::string text =
      "{\"schema_version\": \"1.0.0\",\n\"metadata\": " + line_of(metadata_of(results)) +
      ",\n\"results\": [";
  std::string_view between = "\n";
  for (const TuneResult& result : results) {
    const Measure measure = measure_of(result.problem);
    for (const Trial& trial : result.trials) {
      text.append(between).append(line_of(json_of(trial, result.problem, measure)));
      between = ",\n";
    }
  }
  return text + "\n]}\n";
}

}  // namespace tessera::tool
