// Writing a Kernel Tuner cache.
//
// Kernel Tuner takes a file without "}\n}" at its end for one that was cut off, and a whole number
// for no time; its dashboard wants "objective" and errors to be strings, these in "time".
#include "exports/kernel_tuner_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tessera/version.hpp>

#include "exports/tune_json.hpp"
#include "figures.hpp"

namespace tessera::tool {
namespace {

/// Names of the parameters, in order, with the values that occur.
using Space = std::vector<std::pair<std::string, Json>>;

constexpr int kNoValue = -1;  // of a parameter that a variant lacks

std::string_view error_name(Outcome outcome) {
  const bool build = outcome == Outcome::build_failed || outcome == Outcome::build_timeout;
  return build ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

std::set<std::string> variants_of(const std::vector<Trial>& trials) {
  std::set<std::string> names;
  for (const Trial& trial : trials) names.insert(trial.kernel.variant);
  return names;
}

/// As it is read back, so that what follows from its runs does not change by that.
Trial with_rounded_runs(Trial trial) {
  std::erase_if(trial.runs, [](double run) { return !std::isfinite(run); });
  for (double& run : trial.runs) run = milliseconds(run) / 1e3;
  return trial;
}

Json value_of(const KernelChoice& kernel, const std::string& parameter) {
  if (parameter == "variant") return kernel.variant;
  const auto found = kernel.parameters.find(parameter);
  return found == kernel.parameters.end() ? kNoValue : found->second;
}

/// The variant is a parameter if there are several, and if there is no other parameter.
Space space_of(const std::vector<Trial>& trials) {
  std::map<std::string, std::set<int>> values;
  for (const Trial& trial : trials) {
    for (const auto& entry : trial.kernel.parameters) values[entry.first];
  }
  for (const Trial& trial : trials) {
    for (auto& [parameter, seen] : values)
      seen.insert(value_of(trial.kernel, parameter).get<int>());
  }
  Space space;
  const auto variants = variants_of(trials);
  if (variants.size() != 1 || values.empty()) space.emplace_back("variant", variants);
  for (const auto& [parameter, seen] : values) space.emplace_back(parameter, seen);
  return space;
}

Json entry_of(const Trial& trial, const Space& space, const Measure& measure) {
  Json entry = Json::object();
  for (const auto& [parameter, values] : space)
    entry[parameter] = value_of(trial.kernel, parameter);
  if (timed(trial)) {
    entry["time"] = milliseconds(trial.seconds());
  } else {
    entry["time"] = error_name(trial.outcome);
  }
  Json runs = Json::array();
  for (const double run : trial.runs) runs.push_back(milliseconds(run));
  entry["times"] = std::move(runs);
  entry["compile_time"] = milliseconds(trial.build);
  entry["verification_time"] = milliseconds(trial.check);
  entry["benchmark_time"] = milliseconds(trial.timing);
  entry["strategy_time"] = 0;
  entry["framework_time"] = 0;
  entry["timestamp"] = timestamp(trial.ended);
  if (timed(trial))
    entry[fmt::format("G{}", measure.unit)] = rounded(1e-9 * measure.rate(trial.seconds()));
  entry["outcome"] = to_string(trial.outcome);
  if (!trial.reason.empty()) entry["reason"] = trial.reason;
  if (trial.from_journal) entry["from_journal"] = true;
  return entry;
}

std::string key_of(const Trial& trial, const Space& space) {
  std::string key;
  for (const auto& [parameter, values] : space) {
    const Json value = value_of(trial.kernel, parameter);
    if (!key.empty()) key += ',';
    key += value.is_string() ? value.get<std::string>() : value.dump();
  }
  return key;
}

Json header_of(const TuneResult& result, const Space& space) {
  const Problem& problem = result.problem;
  const auto variants = variants_of(result.trials);
  Json keys = Json::array(), parameters = Json::object();
  for (const auto& [parameter, values] : space) {
    keys.push_back(parameter);
    parameters[parameter] = values;
  }
  const Dimensions dimensions = info_of(problem.operation).dimensions;
  Json size = {problem.m};
  if (dimensions != Dimensions::vector_product) size.push_back(problem.n);
  if (dimensions == Dimensions::product || dimensions == Dimensions::vector_product)
    size.push_back(problem.k);
  Json header = {{"device_name", result.device.name},    {"kernel_name", problem.operation},
                 {"problem_size", std::move(size)},      {"tune_params_keys", std::move(keys)},
                 {"tune_params", std::move(parameters)}, {"objective", "time"}};
  header["problem"] = tool::json_of(problem);
  if (variants.size() == 1) {
    header["kernel_name"] = problem.operation + "_" + *variants.begin();
    header["variant"] = *variants.begin();
  }
  header["platform"] = result.device.platform;
  header["driver_version"] = result.device.driver;
  if (std::ranges::count(result.trials, result.default_kernel, &Trial::kernel) > 0)
    header["default_key"] = key_of({.kernel = result.default_kernel}, space);
  header["tool"] = "Tessera " TESSERA_VERSION_STRING;
  header["device"] = tool::json_of(result.device);
  return header;
}

}  // namespace

std::string kernel_tuner_cache(const TuneResult& result) {
  const Space space = space_of(result.trials);
  const Measure measure = measure_of(result.problem);
  std::string text = "{\n";
  const Json header = header_of(result, space);
  for (const auto& [key, value] : header.items())
    text += fmt::format("\"{}\": {},\n", key, line_of(value));
  text += "\"cache\": {";
  std::string_view between = "\n";
  for (const Trial& trial : result.trials) {
    text += fmt::format("{}{}: {}", between, line_of(key_of(trial, space)),
                        line_of(entry_of(with_rounded_runs(trial), space, measure)));
    between = ",\n";
  }
  return text + "}\n}";
}

}  // namespace tessera::tool
