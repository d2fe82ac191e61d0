// Writing a Kernel Tuner cache.
//
// Kernel Tuner takes a file without "}\n}" at its end for one that was cut off, and a whole number
// for no time; its dashboard wants "objective" and errors to be strings, these in "time".
#include "kernel_tuner_cache.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "figures.hpp"
#include "tune_json.hpp"

namespace tessera::tool {
namespace {

/// Names of the parameters, in order, with the values that occur.
using Space = std::vector<std::pair<std::string, Json>>;

constexpr int kNoValue = -1;  // of a parameter that a variant lacks

std::string_view error_name(Outcome outcome) {
  const bool build = outcome == Outcome::build_failed || outcome == Outcome::build_timeout;
  return build ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

std::set<std::string> variants_of(const std::vector<Attempt>& attempts) {
  std::set<std::string> names;
  for (const Attempt& attempt : attempts) names.insert(attempt.kernel.variant);
  return names;
}

/// As it is read back, so that what follows from its runs does not change by that.
Attempt with_rounded_runs(Attempt attempt) {
  std::erase_if(attempt.runs, [](double run) { return !std::isfinite(run); });
  for (double& run : attempt.runs) run = milliseconds(run) / 1e3;
  return attempt;
}

Json value_of(const KernelChoice& kernel, const std::string& parameter) {
  if (parameter == "variant") return kernel.variant;
  const auto found = kernel.parameters.find(parameter);
  return found == kernel.parameters.end() ? kNoValue : found->second;
}

/// The variant is a parameter where there are several, and where it is all there is.
Space space_of(const std::vector<Attempt>& attempts) {
  std::map<std::string, std::set<int>> values;
  for (const Attempt& attempt : attempts) {
    for (const auto& entry : attempt.kernel.parameters) values[entry.first];
  }
  for (const Attempt& attempt : attempts) {
    for (auto& [parameter, seen] : values)
      seen.insert(value_of(attempt.kernel, parameter).get<int>());
  }
  Space space;
  const auto variants = variants_of(attempts);
  if (variants.size() != 1 || values.empty()) space.emplace_back("variant", variants);
  for (const auto& [parameter, seen] : values) space.emplace_back(parameter, seen);
  return space;
}

Json entry_of(const Attempt& attempt, const Space& space, const Measure& measure) {
  Json entry = Json::object();
  for (const auto& [parameter, values] : space)
    entry[parameter] = value_of(attempt.kernel, parameter);
  if (timed(attempt)) {
    entry["time"] = milliseconds(attempt.seconds());
  } else {
    entry["time"] = error_name(attempt.outcome);
  }
  Json runs = Json::array();
  for (const double run : attempt.runs) runs.push_back(milliseconds(run));
  entry["times"] = std::move(runs);
  entry["compile_time"] = milliseconds(attempt.build);
  entry["verification_time"] = milliseconds(attempt.check);
  entry["benchmark_time"] = milliseconds(attempt.timing);
  entry["strategy_time"] = 0;
  entry["framework_time"] = 0;
  entry["timestamp"] = timestamp(attempt.ended);
  if (timed(attempt))
    entry[fmt::format("G{}", measure.unit)] = rounded(1e-9 * measure.rate(attempt.seconds()));
  entry["outcome"] = name(attempt.outcome);
  if (!attempt.reason.empty()) entry["reason"] = attempt.reason;
  if (attempt.from_journal) entry["from_journal"] = true;
  return entry;
}

std::string key_of(const Attempt& attempt, const Space& space) {
  std::string key;
  for (const auto& [parameter, values] : space) {
    const Json value = value_of(attempt.kernel, parameter);
    if (!key.empty()) key += ',';
    key += value.is_string() ? value.get<std::string>() : value.dump();
  }
  return key;
}

Json header_of(const TuneResult& result, const Space& space) {
  const TuneProblem& problem = result.problem;
  const auto variants = variants_of(result.attempts);
  Json keys = Json::array(), parameters = Json::object();
  for (const auto& [parameter, values] : space) {
    keys.push_back(parameter);
    parameters[parameter] = values;
  }
  Json size = {problem.rows, problem.columns};
  if (problem.operation == "multiply") size.push_back(problem.inner);
  Json header = {{"device_name", result.device.name},    {"kernel_name", problem.operation},
                 {"problem_size", std::move(size)},      {"tune_params_keys", std::move(keys)},
                 {"tune_params", std::move(parameters)}, {"objective", "time"}};
  header.update(json_of(problem));
  if (variants.size() == 1) {
    header["kernel_name"] = problem.operation + "_" + *variants.begin();
    header["variant"] = *variants.begin();
  }
  header["platform"] = result.device.platform;
  header["driver_version"] = result.device.driver;
  header["tool"] = "Tessera " TESSERA_VERSION;
  header["device"] = json_of(result.device);
  return header;
}

}  // namespace

std::string kernel_tuner_cache(const TuneResult& result) {
  const Space space = space_of(result.attempts);
  const Measure measure = measure_of(result.problem);
  std::string text = "{\n";
  const Json header = header_of(result, space);
  for (const auto& [key, value] : header.items())
    text += fmt::format("\"{}\": {},\n", key, line_of(value));
  text += "\"cache\": {";
  std::string_view between = "\n";
  for (const Attempt& attempt : result.attempts) {
    text += fmt::format("{}{}: {}", between, line_of(key_of(attempt, space)),
                        line_of(entry_of(with_rounded_runs(attempt), space, measure)));
    between = ",\n";
  }
  return text + "}\n}";
}

}  // namespace tessera::tool
