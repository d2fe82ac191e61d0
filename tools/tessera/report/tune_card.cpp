// Telling of a tuning in lines.
#include "report/tune_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exports/tune_json.hpp"
#include "figures.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

constexpr std::size_t kFinalists = 5;

std::string device_text(const DeviceInfo& device, const std::optional<Peak>& peak) {
  std::string text = device.name;
  if (!device.driver.empty()) text += fmt::format(" ({})", device.driver);
  if (device.compute_units > 0)
    text += fmt::format(", {} compute units, {} KiB local memory", device.compute_units,
                        device.local_memory / 1024);
  if (!peak || !(peak->bytes > 0)) return text;
  text += " | measured peak ";
  if (peak->flops > 0) text += rate_text(peak->flops, "FLOP/s") + ", ";
  return text + "memory " + rate_text(peak->bytes, "B/s");
}

std::string speed_text(const TuneResult& result, double seconds, const std::optional<Peak>& peak) {
  const Measure measure = measure_of(result.problem);
  const auto share = measure.share(seconds, peak);
  return fmt::format("{}{}, {}", measure.text(seconds),
                     share ? fmt::format(" ({} % of the peak)", three_digits(100 * *share)) : "",
                     text_of_seconds(seconds));
}

std::string tuned_text(const TuneResult& result, const std::optional<Peak>& peak) {
  if (default_won(result)) return "the default won";
  std::string text = speed_text(result, result.best_seconds, peak);
  if (result.default_seconds > 0)
    text += fmt::format(", {:.2f} x the default ({})", result.speedup, speedup_range(result));
  return text + ": " + text_of(result.best);
}

std::string tried_text(const TuneResult& result) {
  const auto earlier = std::ranges::count_if(result.trials, &Trial::from_journal);
  std::string text =
      fmt::format("{} of {} in {}", result.trials.size(), counted(result.space, "configuration"),
                  text_of_seconds(result.elapsed));
  const char* between = ": ";
  for (const auto& [outcome, count] : count_outcomes(result.trials)) {
    text += fmt::format("{}{} {}", between, count, to_string(outcome));
    between = ", ";
  }
  if (earlier > 0) text += fmt::format("; {} of them by earlier tuners", earlier);
  return text;
}

/// " ± 0.6 %"; empty after a single round, which has no interval.
std::string spread_text(const Finalist& finalist) {
  const double half = (finalist.upper - finalist.lower) / (2 * finalist.seconds);
  return half > 0 ? fmt::format(" ± {:.1f} %", 100 * half) : "";
}

/// "#1 1.45 ms ± 0.6 %, #2 1.46 ms ± 0.7 % (tied), and 4 more"
std::string finals_text(const std::vector<Finalist>& finalists) {
  std::string text;
  for (std::size_t i = 0; i < std::min(finalists.size(), kFinalists); i++) {
    const Finalist& finalist = finalists[i];
    const char* judgement = finalist.tied                      ? " (tied)"
                            : std::isinf(finalist.ratio_upper) ? " (too few rounds)"
                                                               : "";
    text += fmt::format("{}#{} {}{}{}", i > 0 ? ", " : "", i + 1, text_of_seconds(finalist.seconds),
                        spread_text(finalist), judgement);
  }
  if (finalists.size() > kFinalists)
    text += fmt::format(", and {} more", finalists.size() - kFinalists);
  return text;
}

Json json_of(const KernelChoice& kernel, double seconds, const Measure& measure,
             const std::optional<Peak>& peak) {
  if (kernel.variant.empty() || !(seconds > 0)) return nullptr;
  const auto share = measure.share(seconds, peak);
  return {{"kernel", kernel.variant},  {"parameters", kernel.parameters},
          {"seconds", seconds},        {"rate", measure.rate(seconds)},
          {"rate_unit", measure.unit}, {"share_of_peak", share ? Json(*share) : Json(nullptr)}};
}

Json json_of(const Neighbour& neighbour) {
  return {{"problem", tool::json_of(neighbour.problem)},
          {"ratio", neighbour.ratio},
          {"ratio_lower", neighbour.ratio_lower},
          {"ratio_upper", neighbour.ratio_upper}};
}

std::string checked_text(const TuneResult& result) {
  if (result.check_seed == 0 || result.checked.empty()) return result.checked;
  return fmt::format("{}, operands of seed {}", result.checked, result.check_seed);
}

Json json_of(const Finalist& finalist) {
  return {{"kernel", finalist.kernel.variant},
          {"parameters", finalist.kernel.parameters},
          {"seconds", finalist.seconds},
          {"lower", finalist.lower},
          {"upper", finalist.upper},
          {"ratio_lower", finalist.ratio_lower},
          {"ratio_upper", finalist.ratio_upper},
          {"tied", finalist.tied}};
}

/// The outcome of a problem in a few words.
std::string outcome_text(const TuneResult& result) {
  if (result.trials.empty()) return "none was tried";
  if (result.finalists.empty()) return "no winner";
  if (default_won(result)) return "the default won";
  return result.best.variant + (result.saved ? " won" : ", not saved");
}

std::string summary_row(std::size_t width, std::string_view problem, std::string_view rate,
                        std::string_view speedup, std::string_view outcome) {
  return fmt::format("{:<{}} {:>11} {:>8}  {}\n", problem, width, rate, speedup, outcome);
}

}  // namespace

std::string tune_summary(std::span<const TunedProblem> problems) {
  std::size_t width = 0;
  for (const TunedProblem& problem : problems)
    width = std::max(width, describe(problem.result.problem).size());
  std::string table = summary_row(width, "problem", "speed", "speed-up", "outcome");
  for (const TunedProblem& problem : problems) {
    const TuneResult& result = problem.result;
    const bool has_speedup = result.default_seconds > 0 && !default_won(result);
    table += summary_row(
        width, describe(result.problem), measure_of(result.problem).text(result.best_seconds),
        has_speedup && result.best_seconds > 0 ? fmt::format("{:.2f} x", result.speedup) : "",
        one_line(outcome_text(result)));
  }
  return table;
}

std::string tune_card(const TuneResult& result, const std::optional<Peak>& peak,
                      std::size_t columns) {
  const auto line = [columns](const char* subject, const std::string& text) {
    if (text.empty()) return std::string();
    return with_hanging_indent(fmt::format("{:<10}", subject), one_line(text), columns) + '\n';
  };
  std::string card =
      line("device", device_text(result.device, peak)) +
      line("plan", fmt::format("{}: {}, strategy {}, seed {}", describe(result.problem),
                               counted(result.space, "configuration"), to_string(result.strategy),
                               result.seed));
  if (result.default_seconds > 0) {
    card += line("default", speed_text(result, result.default_seconds, peak) + ": " +
                                text_of(result.default_kernel));
  }
  if (result.best_seconds > 0) card += line("tuned", tuned_text(result, peak));
  return card + line("nearby", nearby_text(result)) + line("tried", tried_text(result)) +
         line("finals", finals_text(result.finalists)) + line("checked", checked_text(result)) +
         line("result", result.conclusion);
}

Json tune_json(const TuneResult& result, const std::optional<Peak>& peak) {
  const Measure measure = measure_of(result.problem);
  Json counts = Json::object(), finalists = Json::array(), neighbours = Json::array();
  for (const auto& [outcome, count] : count_outcomes(result.trials))
    counts[std::string(to_string(outcome))] = count;
  for (const Finalist& finalist : result.finalists) finalists.push_back(json_of(finalist));
  for (const Neighbour& neighbour : result.neighbours) neighbours.push_back(json_of(neighbour));
  const bool known = result.default_seconds > 0 && result.best_seconds > 0;
  Json json = {{"device", valid_utf8(result.device.name)},
               {"platform", valid_utf8(result.device.platform)},
               {"driver", valid_utf8(result.device.driver)}};
  json["problem"] = tool::json_of(result.problem);
  json["strategy"] = to_string(result.strategy);
  json["seed"] = result.seed;
  json["space"] = result.space;
  json["tried"] = result.trials.size();
  json["outcomes"] = std::move(counts);
  json["default"] = json_of(result.default_kernel, result.default_seconds, measure, peak);
  json["tuned"] = json_of(result.best, result.best_seconds, measure, peak);
  json["speedup"] = known ? Json(result.speedup) : Json(nullptr);
  json["speedup_lower"] = known ? Json(result.speedup_lower) : Json(nullptr);
  json["speedup_upper"] = known ? Json(result.speedup_upper) : Json(nullptr);
  json["finalists"] = std::move(finalists);
  json["neighbours"] = std::move(neighbours);
  json["peak_flops"] = peak && peak->flops > 0 ? Json(peak->flops) : Json(nullptr);
  json["peak_bytes"] = peak && peak->bytes > 0 ? Json(peak->bytes) : Json(nullptr);
  json["checked"] = valid_utf8(result.checked);
  json["check_seed"] = result.check_seed;
  json["saved"] = result.saved.has_value();
  json["conclusion"] = valid_utf8(result.conclusion);
  json["elapsed"] = result.elapsed;
  return json;
}

}  // namespace tessera::tool
