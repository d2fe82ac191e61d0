// The report: results and what their trials say, as a document that is written into the page.
#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tessera/version.hpp>
#include <utility>

#include "exports/tune_json.hpp"
#include "figures.hpp"
#include "report/analysis.hpp"

namespace tessera::tool {
namespace {

bool usable(double value) { return value > 0 && std::isfinite(value); }

Json usable_or_null(double value) { return usable(value) ? Json(value) : Json(nullptr); }

Json kernel_json(const KernelChoice& kernel) {
  return {{"kernel", kernel.variant}, {"parameters", kernel.parameters}};
}

Json trials_json(const std::vector<Trial>& trials) {
  Json all = Json::array();
  for (const Trial& trial : trials) {
    Json json = kernel_json(trial.kernel);
    json["outcome"] = to_string(trial.outcome);
    json["seconds"] = timed(trial) ? usable_or_null(rounded(trial.seconds())) : Json(nullptr);
    all.push_back(std::move(json));
  }
  return all;
}

/// Lists the indices of trials that were faster than all trials before them.
Json improvements_json(const std::vector<Trial>& trials) {
  Json indices = Json::array();
  const Trial* best = nullptr;
  for (const Trial& trial : trials) {
    if (!timed(trial) || (best && trial.seconds() >= best->seconds())) continue;
    best = &trial;
    indices.push_back(best - trials.data());
  }
  return indices;
}

/// Counts each kind of failure, with its first trial.
Json failures_json(const std::vector<Trial>& trials) {
  Json failures = Json::array();
  for (const auto& [outcome, count] : count_outcomes(trials)) {
    const auto first = std::ranges::find(trials, outcome, &Trial::outcome);
    if (first->good()) continue;
    Json json = {{"outcome", to_string(outcome)}, {"count", count}};
    json.update(kernel_json(first->kernel));
    json["reason"] = first->reason;
    failures.push_back(std::move(json));
  }
  return failures;
}

/// Returns null if a limit or both speeds are unknown.
Json roofline_json(const TuneResult& result, const std::optional<Peak>& peak) {
  const Work work = work_of(result.problem);
  const auto speed = [&](double seconds) {
    return usable_or_null(usable(seconds) ? work.flops / seconds : 0);
  };
  const Json own = speed(result.default_seconds), best = speed(result.best_seconds);
  if (!peak || !usable(peak->flops) || !usable(peak->bytes) || !usable(work.flops) ||
      !usable(work.bytes) || (own.is_null() && best.is_null()))
    return nullptr;
  const double intensity = work.flops / work.bytes;
  return {{"intensity", intensity},
          {"ridge", peak->flops / peak->bytes},
          {"limit", std::min(peak->flops, intensity * peak->bytes)},
          {"default", own},
          {"tuned", best}};
}

Json problem_json(const TunedProblem& problem) {
  const TuneResult& result = problem.result;
  Json json = tune_json(result, problem.peak);
  json["name"] = describe(result.problem);
  json["compute_units"] = result.device.compute_units;
  json["default_kernel"] = kernel_json(result.default_kernel);
  json["default_won"] = default_won(result);
  json["nearby"] = nearby_text(result);
  json["earlier"] = std::ranges::count_if(result.trials, &Trial::from_journal);
  json["trials"] = trials_json(result.trials);
  json["improvements"] = improvements_json(result.trials);
  json.update(analysis_json(result));
  json["roofline"] = roofline_json(result, problem.peak);
  json["failures"] = failures_json(result.trials);
  return json;
}

/// Writes JSON without '<', so that no string can end the script element around it.
std::string script_text(const Json& document) {
  std::string text;
  for (const char c : line_of(document)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

Json report_document(std::span<const TunedProblem> problems, const ReportOrigin& origin) {
  Json all = Json::array();
  for (const TunedProblem& problem : problems) all.push_back(problem_json(problem));
  return {{"schema", kJsonSchema},
          {"tessera", TESSERA_VERSION_STRING},
          {"command", origin.command},
          {"budget", usable_or_null(origin.budget)},
          {"date", origin.date > 0 ? Json(timestamp(origin.date)) : Json(nullptr)},
          {"trials_for_shares", kTrialsForShares},
          {"problems", std::move(all)}};
}

std::string html_report(std::span<const TunedProblem> problems, const ReportOrigin& origin) {
  constexpr std::string_view kPlace = "{{document}}";
  const std::string_view page = report_page();
  const std::size_t place = page.find(kPlace);
  return fmt::format("{}{}{}", page.substr(0, place),
                     script_text(report_document(problems, origin)),
                     page.substr(place + kPlace.size()));
}

}  // namespace tessera::tool
