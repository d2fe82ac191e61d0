// The report's page: sections of cards and charts.
#include "report/report.hpp"

#include <fmt/format.h>

#include <tessera/version.hpp>

#include "exports/tune_json.hpp"
#include "figures.hpp"
#include "report/charts.hpp"
#include "report/markup.hpp"
#include "report/report_style.hpp"

namespace tessera::tool {
namespace {

std::string heading(const char* text, const std::string& content) {
  return content.empty() ? "" : element("h3", {}, text) + content;
}

std::string heat_maps(const TuneResult& result, const std::vector<VariantAttempts>& variants) {
  const Trial* best = fastest(result.trials);
  std::string figures;
  for (const VariantAttempts& variant : variants) {
    if (const auto map = heat_map(variant))
      figures += heat_map_chart(*map, variant, best ? best->seconds() : 0);
  }
  return figures.empty() ? "" : element("div", {{"class", "maps"}}, figures);
}

/// The winner's variant at once, the others for those who look.
std::string parameters_of(const std::vector<VariantAttempts>& variants, const TuneResult& result) {
  std::string sections;
  for (const VariantAttempts& variant : variants) {
    const auto parameters = by_parameter(variant.trials);
    if (parameters.empty()) continue;
    const bool wins = variant.variant == result.best.variant;
    const std::string summary =
        element("summary", {}, element("strong", {}, escaped(variant.variant)));
    const std::string charts = parameter_charts(parameters, wins ? result.best : KernelChoice());
    sections += sections.empty() ? element("details", {{"open", ""}}, summary + charts)
                                 : element("details", {}, summary + charts);
  }
  return sections;
}

/// Shares of few trials are chance.
constexpr std::size_t kEnoughTrials = 50;

std::size_t count_timed(const std::vector<VariantAttempts>& variants) {
  std::size_t count = 0;
  for (const VariantAttempts& variant : variants) count += timed_trials(variant);
  return count;
}

std::string importance(const std::vector<VariantAttempts>& variants, const TuneResult& result) {
  const std::size_t all = count_timed(variants), own = all == 0 ? 0 : timed_trials(variants[0]);
  const auto too_few = [](std::size_t count, const std::string& what) {
    return element("p", {{"class", "soft"}},
                   fmt::format("Too few trials for shares{}: {} timed, {} needed.", what, count,
                               kEnoughTrials));
  };
  if (all == 0) return {};
  if (all < kEnoughTrials) return too_few(all, "");
  if (own >= kEnoughTrials)
    return importance_chart(by_parameter(variants[0].trials), importance_of_variant(result));
  return importance_chart({}, importance_of_variant(result)) +
         too_few(own, " of the parameters of " + escaped(variants[0].variant));
}

std::string section(const TunedProblem& problem, std::size_t number) {
  const TuneResult& result = problem.result;
  const auto variants = by_variant(result);
  const std::string roofline = problem.peak ? roofline_chart(result, *problem.peak) : "";
  const std::string pair =
      element("div", {}, heading("What mattered", importance(variants, result))) +
      element("div", {}, heading("Roofline", roofline));
  return element(
      "section", {{"id", fmt::format("problem-{}", number)}},
      element("h2", {}, escaped(describe(result.problem))) +
          element("p", {{"class", "soft"}},
                  fmt::format("Strategy {}, seed {}", name(result.strategy), result.seed)) +
          report_card(problem) + heading("The search", convergence_chart(result)) +
          element("div", {{"class", "pair"}}, pair) +
          heading("Sizes of work-groups", heat_maps(result, variants)) +
          heading("Times by parameter", parameters_of(variants, result)) + failure_table(result));
}

/// One line a problem, where there are several.
std::string overview(std::span<const TunedProblem> problems) {
  if (problems.size() < 2) return {};
  std::string rows =
      "<tr><th>problem</th><th class=\"number aside\">default</th><th class=\"number\">tuned</th>"
      "<th class=\"number\">speedup</th><th>winner</th></tr>";
  std::size_t number = 1;
  for (const TunedProblem& problem : problems) {
    const TuneResult& result = problem.result;
    const Measure measure = measure_of(result.problem);
    const bool known = result.default_seconds > 0 && result.best_seconds > 0;
    const std::string speedup = !known                ? "-"
                                : default_won(result) ? "none"
                                                      : three_digits(result.speedup) + " ×";
    const std::string link = element("a", {{"href", fmt::format("#problem-{}", number++)}},
                                     escaped(describe(result.problem)));
    rows += element(
        "tr", {},
        element("td", {}, link) +
            element("td", {{"class", "number aside"}}, measure.text(result.default_seconds)) +
            element("td", {{"class", "number"}}, measure.text(result.best_seconds)) +
            element("td", {{"class", "number"}}, speedup) +
            element("td", {}, escaped(result.best.variant.empty() ? "-" : result.best.variant)));
  }
  return element("div", {{"class", "scroll"}}, element("table", {{"class", "overview"}}, rows));
}

std::string device_line(std::span<const TunedProblem> problems) {
  if (problems.empty()) return "Nothing was tuned.";
  const DeviceInfo& device = problems.front().result.device;
  std::string line = element("strong", {}, escaped(device.name));
  const auto add = [&](const std::string& text) {
    if (!text.empty()) line += ", " + escaped(text);
  };
  add(device.platform);
  if (!device.driver.empty()) add("driver " + device.driver);
  if (device.compute_units > 0) add(counted(device.compute_units, "compute unit"));
  if (const auto& peak = problems.front().peak; peak && peak->bytes > 0) {
    const auto [flops, flops_prefix] = prefixed(peak->flops);
    const auto [bytes, bytes_prefix] = prefixed(peak->bytes);
    const std::string arithmetic =
        peak->flops > 0 ? fmt::format("{} {}FLOP/s, ", three_digits(flops), flops_prefix) : "";
    line += fmt::format("; measured peak {}memory {} {}B/s", arithmetic, three_digits(bytes),
                        bytes_prefix);
  }
  return line;
}

/// When, for how long, and by which command.
std::string origin_line(const ReportOrigin& origin) {
  std::string line;
  const auto add = [&](const std::string& markup) { line += (line.empty() ? "" : ", ") + markup; };
  if (origin.date > 0) {
    constexpr std::size_t kMinutes = 16;  // "2026-01-02 03:04"
    add(timestamp(origin.date).substr(0, kMinutes) + " UTC");
  }
  if (origin.budget > 0) add("budget " + text_of_seconds(origin.budget));
  if (!origin.command.empty()) add(element("code", {}, escaped(origin.command)));
  return line.empty() ? "" : element("p", {{"class", "soft"}}, line);
}

}  // namespace

std::string html_report(std::span<const TunedProblem> problems, const ReportOrigin& origin) {
  std::string body = element("header", {},
                             "<h1>Tuning report</h1>" + element("p", {}, device_line(problems)) +
                                 origin_line(origin) + overview(problems));
  std::size_t number = 1;
  for (const TunedProblem& problem : problems) body += section(problem, number++);
  body += element("footer", {}, "Tessera " TESSERA_VERSION_STRING);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>Tuning report</title>\n<style>{}</style>\n</head>\n<body>\n{}\n</body>\n</html>\n",
      kReportStyle, body);
}

}  // namespace tessera::tool
