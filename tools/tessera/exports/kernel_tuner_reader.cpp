// Reading a Kernel Tuner cache that Tessera wrote, whole or cut off.
#include "exports/kernel_tuner_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "exports/tune_json.hpp"
#include "tessera/error.hpp"
#include "tessera/kernel.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// Throws Json::exception for text other than JSON, and for values nested more deeply than Tessera
/// writes: they are copied and printed by recursion, which overflows the stack.
Json parse(const std::string& text) {
  constexpr int kMaxDepth = 100;
  return Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth)
      throw Json::other_error::create(501, "the brackets nest too deeply", nullptr);
    return true;
  });
}

[[noreturn]] void refuse(const Json& number) {
  throw Json::out_of_range::create(401, number.dump() + " is out of range", nullptr);
}

/// Throws Json::exception for other values than numbers, and for numbers less than `minimum`.
double number_in(const Json& json, double minimum) {
  const auto number = json.get<double>();
  if (!(number >= minimum)) refuse(json);
  return number;
}

/// Throws Json::exception for other values than an int; nlohmann's own conversion of a larger
/// number is undefined.
int whole_number_in(const Json& json) {
  using Int = std::numeric_limits<int>;
  const double number = number_in(json, Int::min());
  if (number > Int::max() || number != std::trunc(number)) refuse(json);
  return static_cast<int>(number);
}

/// Null where even what could be mended is no JSON.
Json parse_mended(std::string_view content) {
  const auto end = content.find_last_not_of(" \t\r\n");
  std::string_view whole = content.substr(0, end == std::string_view::npos ? 0 : end + 1);
  const auto without_comma = [](std::string_view text) {
    return text.ends_with(',') ? text.substr(0, text.size() - 1) : text;
  };
  const std::string_view lines = whole.substr(0, std::min(whole.rfind('\n'), whole.size()));
  for (const auto& [text, closing] :
       {std::pair{whole, ""}, std::pair{whole, "\n}"}, std::pair{without_comma(whole), "}\n}"},
        std::pair{without_comma(lines), "}\n}"}}) {
    try {
      Json json = parse(std::string(text) + closing);
      if (json.is_object()) return json;
    } catch (const Json::exception&) {  // another end may be the right one
    }
  }
  return nullptr;
}

double seconds_in(const Json& entry, const char* key) { return number_in(entry.at(key), 0) / 1e3; }

Outcome outcome_of(const std::string& text) {
  for (const Outcome outcome : outcomes()) {
    if (to_string(outcome) == text) return outcome;
  }
  throw UsageError(fmt::format("there is no outcome {}", in_quotes(text)));
}

KernelChoice kernel_of(const Json& entry, const Json& document) {
  KernelChoice kernel;
  for (const Json& key : document.at("tune_params_keys")) {
    const auto parameter = key.get<std::string>();
    const Json& value = entry.at(parameter);
    if (parameter == "variant") {
      kernel.variant = value.get<std::string>();
    } else if (value != -1) {  // of a parameter that the variant lacks
      kernel.parameters[parameter] = whole_number_in(value);
    }
  }
  if (kernel.variant.empty()) document.at("variant").get_to(kernel.variant);
  return kernel;
}

Trial trial_of(const Json& entry, const Json& document) {
  Trial trial{.kernel = kernel_of(entry, document), .reason = {}};
  trial.outcome = outcome_of(entry.at("outcome").get<std::string>());
  trial.reason = entry.value("reason", "");
  const auto run_of = [](const Json& milliseconds) {
    constexpr double kShortest = 1e-6;  // of device clocks, which count nanoseconds
    return number_in(milliseconds, kShortest) / 1e3;
  };
  for (const Json& run : entry.at("times")) trial.runs.push_back(run_of(run));
  if (trial.good() && trial.runs.empty()) trial.runs.push_back(run_of(entry.at("time")));
  trial.build = seconds_in(entry, "compile_time");
  trial.check = seconds_in(entry, "verification_time");
  trial.timing = seconds_in(entry, "benchmark_time");
  trial.ended = seconds_of_timestamp(entry.at("timestamp").get<std::string>()).value_or(0);
  trial.from_journal = entry.value("from_journal", false);
  return trial;
}

}  // namespace

Recording read_kernel_tuner_cache(const std::string& content, const std::string& name) {
  const Json document = parse_mended(content);
  if (document.is_null() || !document.contains("cache"))
    throw UsageError(fmt::format("{}: is no cache file of Kernel Tuner", name));
  std::string where;
  try {
    Recording recording{problem_from_json(document.at("problem").dump()), {}, {}};
    info_of(recording.problem.operation);
    if (const auto device = document.find("device"); device != document.end())
      recording.device = device_from_json(device->dump());
    document.at("device_name").get_to(recording.device.name);
    for (const auto& [key, entry] : document.at("cache").items()) {
      where = fmt::format("entry {}: ", in_quotes(key));
      recording.trials.push_back(trial_of(entry, document));
    }
    where = "default_key: ";
    if (const auto key = document.find("default_key"); key != document.end()) {
      const Json& entry = document.at("cache").at(key->get<std::string>());
      recording.default_kernel = kernel_of(entry, document);
    }
    return recording;
  } catch (const Json::exception& error) {
    throw UsageError(
        fmt::format("{}: is no cache file that Tessera wrote: {}{}", name, where, error.what()));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}{}", name, where, error.what()));
  } catch (const Error& error) {  // of the problem or the device
    throw UsageError(fmt::format("{}: {}", name, one_line(error.what())));
  }
}

}  // namespace tessera::tool
