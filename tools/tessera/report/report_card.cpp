// The report's first part: what a tuning came to, in numbers and tables.
#include "report/report_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures.hpp"
#include "report/chart_parts.hpp"
#include "report/markup.hpp"

namespace tessera::tool {
namespace {

std::string stat(const char* kind, std::string_view label, std::string_view value,
                 std::string_view note) {
  return element("div", {{"class", kind}},
                 element("span", {{"class", "label"}}, label) +
                     element("span", {{"class", "figure"}}, escaped(value)) +
                     element("span", {{"class", "note"}}, escaped(note)));
}

std::string note_of(const Measure& measure, double seconds, const std::optional<Peak>& peak) {
  if (!(seconds > 0)) return "";
  std::string note = text_of_seconds(seconds);
  if (const auto share = measure.share(seconds, peak))
    note += fmt::format(", {} % of the peak", three_digits(100 * *share));
  return note;
}

std::string stats(const TunedProblem& problem) {
  const TuneResult& result = problem.result;
  const Measure measure = measure_of(result.problem);
  std::string all = stat("stat", "default", measure.text(result.default_seconds),
                         note_of(measure, result.default_seconds, problem.peak)) +
                    stat("stat tuned", "tuned", measure.text(result.best_seconds),
                         note_of(measure, result.best_seconds, problem.peak));
  if (default_won(result)) {
    all += stat("stat", "speedup", "none", "the default won");
  } else if (result.default_seconds > 0 && result.best_seconds > 0) {
    all += stat("stat", "speedup", three_digits(result.speedup) + " ×",
                std::isfinite(result.speedup_upper) ? speedup_range(result) + " (95 %)"
                                                    : speedup_range(result) + " for an interval");
  }
  all +=
      stat("stat", "wall time", text_of_seconds(result.elapsed),
           fmt::format("{} of {}", result.trials.size(), counted(result.space, "configuration")));
  return element("div", {{"class", "stats"}}, all);
}

std::string outcome_bar(const TuneResult& result) {
  const auto counts = count_outcomes(result.trials);
  std::string bar, legend;
  double left = 0;
  for (const auto& [outcome, count] : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(result.trials.size());
    bar += leaf("rect", {{"class", "part " + class_of(outcome)},
                         {"x", percent(left)},
                         {"width", percent(share)},
                         {"height", 10.0}});
    left += share;
    const char* meaning =
        outcome == Outcome::slow ? " (right, but given up: over 1.25 × the best)" : "";
    legend += element("li", {{"class", class_of(outcome)}},
                      fmt::format("{} <b>{}</b>{}", escaped(name(outcome)), count, meaning));
  }
  if (counts.empty()) return {};
  return element(
             "svg",
             {{"class", "outcomes"}, {"height", 10.0}, {"role", "img"}, {"aria-label", "Outcomes"}},
             bar) +
         element("ul", {{"class", "legend"}}, legend);
}

std::string kernel_markup(const KernelChoice& kernel) {
  if (kernel.variant.empty()) return "-";
  std::string text = element("strong", {}, escaped(kernel.variant));
  for (const auto& [parameter, value] : kernel.parameters)
    text +=
        fmt::format(" {}", element("code", {}, fmt::format("{}={}", escaped(parameter), value)));
  return text;
}

std::string facts(const TuneResult& result) {
  std::string list;
  const auto add = [&](const char* term, const std::string& markup) {
    if (!markup.empty()) list += element("dt", {}, term) + element("dd", {}, markup);
  };
  if (!result.best.variant.empty()) add("winner", kernel_markup(result.best));
  if (!result.default_kernel.variant.empty()) add("default", kernel_markup(result.default_kernel));
  add("nearby", escaped(nearby_text(result)));
  add("checked", escaped(result.checked));
  add("conclusion", escaped(result.conclusion));
  return element("dl", {}, list);
}

/// Finalists that take longer than so many times the winner's time would make dots of all others.
constexpr double kFarBehind = 1.5;

/// Around the intervals of all finalists that are not far behind.
Axis axis_of(const std::vector<Finalist>& finalists) {
  double low = INFINITY, high = 0;
  for (const Finalist& finalist : finalists) {
    if (finalist.seconds > kFarBehind * finalists.front().seconds) continue;
    low = std::min(low, finalist.lower);
    high = std::max(high, finalist.upper);
  }
  high = std::min(high, 2 * kFarBehind * finalists.front().seconds);
  return Axis::linear(low - 0.05 * (high - low), high + 0.05 * (high - low));
}

/// The interval of a finalist's time; a mark at the right end for one that is far behind.
std::string interval_markup(const Finalist& finalist, const Axis& axis, bool is_far_behind) {
  if (is_far_behind) {
    return element("svg", {{"class", "interval"}, {"height", 16.0}, {"role", "img"}},
                   element("text", {{"class", "end"}, {"x", "100%"}, {"y", 12.0}}, "far behind ›"));
  }
  return element("svg", {{"class", "interval"}, {"height", 16.0}, {"role", "img"}},
                 leaf("line", {{"class", "whisker"},
                               {"x1", percent(axis.at(finalist.lower))},
                               {"x2", percent(axis.at(finalist.upper))},
                               {"y1", 8.0},
                               {"y2", 8.0}}) +
                     leaf("circle", {{"class", "top"},
                                     {"cx", percent(axis.at(finalist.seconds))},
                                     {"cy", 8.0},
                                     {"r", 3.0}}));
}

std::string finals(const TuneResult& result) {
  if (result.finalists.empty()) return {};
  const Axis axis = axis_of(result.finalists);
  const auto is_far_behind = [&](const Finalist& finalist) {
    return finalist.seconds > kFarBehind * result.finalists.front().seconds;
  };
  std::string rows =
      "<tr><th></th><th>kernel</th><th class=\"number\">time</th>"
      "<th class=\"number aside\">rate</th><th class=\"aside\">time and its 95 % interval</th>"
      "<th class=\"number\">over the winner&#39;s</th></tr>";
  const Measure measure = measure_of(result.problem);
  std::size_t number = 1;
  for (const Finalist& finalist : result.finalists) {
    const std::string ratio =
        number == 1 ? "1"
        : std::isinf(finalist.ratio_upper)
            ? "<em>too few rounds</em>"
            : fmt::format("{:.3f} to {:.3f}{}", finalist.ratio_lower, finalist.ratio_upper,
                          finalist.tied ? " <em>tied</em>" : "");
    rows += element("tr", {},
                    element("td", {{"class", "number"}}, fmt::format("{}", number)) +
                        element("td", {{"class", "kernel"}}, kernel_markup(finalist.kernel)) +
                        element("td", {{"class", "number"}}, text_of_seconds(finalist.seconds)) +
                        element("td", {{"class", "number aside"}}, measure.text(finalist.seconds)) +
                        element("td", {{"class", "wide aside"}},
                                interval_markup(finalist, axis, is_far_behind(finalist))) +
                        element("td", {{"class", "number"}}, ratio));
    number++;
  }
  return "<h3>Finals</h3>" +
         element("div", {{"class", "scroll"}}, element("table", {{"class", "finals"}}, rows));
}

}  // namespace

std::string report_card(const TunedProblem& problem) {
  return stats(problem) + outcome_bar(problem.result) + facts(problem.result) +
         finals(problem.result);
}

std::string failure_table(const TuneResult& result) {
  std::string rows;
  for (const auto& [outcome, count] : count_outcomes(result.trials)) {
    const auto first = std::ranges::find(result.trials, outcome, &Trial::outcome);
    if (first->good()) continue;
    rows += element("tr", {},
                    element("th", {{"class", class_of(outcome)}}, escaped(name(outcome))) +
                        element("td", {{"class", "number"}}, fmt::format("{}", count)) +
                        element("td", {},
                                element("p", {}, escaped(text_of(first->kernel))) +
                                    element("pre", {}, escaped(first->reason))));
  }
  if (rows.empty()) return {};
  return "<h3>Failures</h3>" +
         element(
             "div", {{"class", "scroll"}},
             element("table", {{"class", "failures"}},
                     "<tr><th>outcome</th><th class=\"number\">count</th><th>the first</th></tr>" +
                         rows));
}

}  // namespace tessera::tool
