// Writing attempts as T4 results.
#include "t4.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "figures.hpp"
#include "tune_json.hpp"

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

Json times_of(const Attempt& attempt) {
  Json runs = Json::array();
  for (const double run : attempt.runs) {
    if (std::isfinite(run)) runs.push_back(milliseconds(run));
  }
  const double build = milliseconds(attempt.build);
  return {{"compilation_time", build},
          {"compilation", build},
          {"benchmark", milliseconds(attempt.timing)},
          {"framework", 0},
          {"search_algorithm", 0},
          {"validation", milliseconds(attempt.check)},
          {"runtimes", std::move(runs)}};
}

Json measurements_of(const Attempt& attempt, const Measure& measure) {
  Json all = Json::array();
  if (!timed(attempt)) return all;
  const auto add = [&](std::string_view name, double value, std::string_view unit) {
    all.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  };
  const std::string unit = fmt::format("G{}", measure.unit);
  add("time", milliseconds(attempt.seconds()), "ms");
  add(unit, rounded(1e-9 * measure.rate(attempt.seconds())), unit);
  if (attempt.outcome == Outcome::slow) add("abandoned", 1, "");
  return all;
}

Json json_of(const Attempt& attempt, const TuneProblem& problem, const Measure& measure) {
  Json configuration = {{"variant", attempt.kernel.variant}};
  for (const auto& [name, value] : attempt.kernel.parameters) configuration[name] = value;
  Json json = {{"timestamp", timestamp(attempt.ended)},
               {"configuration", std::move(configuration)},
               {"objectives", Json::array({"time"})},
               {"times", times_of(attempt)},
               {"invalidity", invalidity(attempt.outcome)},
               {"correctness", attempt.good() ? 1 : 0},
               {"measurements", measurements_of(attempt, measure)},
               {"problem", describe(problem)},
               {"outcome", name(attempt.outcome)}};
  if (!attempt.reason.empty()) json["reason"] = attempt.reason;
  return json;
}

Json metadata_of(std::span<const TuneResult> results) {
  const DeviceInfo device = results.empty() ? DeviceInfo() : results.front().device;
  double ended = 0;
  Json problems = Json::array();
  for (const TuneResult& result : results) {
    problems.push_back(tool::json_of(result.problem));
    for (const Attempt& attempt : result.attempts) ended = std::max(ended, attempt.ended);
  }
  return {{"compute_api", "OpenCL"},        {"platform", device.platform},
          {"device", device.name},          {"driver_version", device.driver},
          {"autotuner", "Tessera"},         {"autotuner_version", TESSERA_VERSION},
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
    for (const Attempt& attempt : result.attempts) {
      text.append(between).append(line_of(json_of(attempt, result.problem, measure)));
      between = ",\n";
    }
  }
  return text + "\n]}\n";
}

}  // namespace tessera::tool
