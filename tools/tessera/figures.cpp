// Rates, times and counts in words.
#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace tessera::tool {
namespace {

std::string ratios_text(const std::ranges::forward_range auto& seen) {
  if (seen.empty()) return "";
  const auto [best, worst] =
      std::ranges::minmax(std::views::transform(seen, [](const auto& one) { return one.ratio; }));
  const auto count = std::ranges::distance(seen);
  const std::string range =
      count == 1 ? fmt::format("{:.2f}", best) : fmt::format("{:.2f} to {:.2f}", best, worst);
  return fmt::format("{} of the default's time on {}", range,
                     counted(static_cast<std::size_t>(count), "problem"));
}

}  // namespace

double Measure::rate(double seconds) const {
  return std::isfinite(seconds) && seconds > 0 ? work / seconds : 0;
}

std::string Measure::text(double seconds) const {
  const double value = rate(seconds);
  return value > 0 ? rate_text(value, unit) : "-";
}

std::optional<double> Measure::share(double seconds, const std::optional<Peak>& limits) const {
  const double limit = limits ? (*limits).*peak : 0;
  const double value = rate(seconds);
  if (!(limit >= value) || !std::isfinite(limit) || !(value > 0)) return std::nullopt;
  return value / limit;
}

Measure measure_of(const Problem& problem) {
  const Work work = work_of(problem);
  if (info_of(problem.operation).limited_by_memory) return {work.bytes, "B/s", &Peak::bytes};
  return {work.flops, "FLOP/s", &Peak::flops};
}

std::string rate_text(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t step = 0;
  while (value >= 999.5 && step + 1 < kPrefixes.size()) {
    value /= 1000;
    step++;
  }
  return fmt::format("{} {}{}", three_digits(value), kPrefixes[step], unit);
}

std::string three_digits(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  const int decimals = size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return size >= 1e6 || (size != 0 && size < 1e-3) ? fmt::format("{:.3g}", value)
                                                   : fmt::format("{:.{}f}", value, decimals);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string text_of_seconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "-";
  if (seconds == 0) return "0 s";
  if (seconds < 999.5e-9) return three_digits(seconds * 1e9) + " ns";
  if (seconds < 999.5e-6) return three_digits(seconds * 1e6) + " µs";
  if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
  if (seconds < 119.5) return three_digits(seconds) + " s";
  if (seconds >= 1e9) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "-" : text;
}

std::string text_of(const KernelChoice& kernel) {
  if (kernel.variant.empty()) return "-";
  if (kernel.parameters.empty()) return kernel.variant;
  return kernel.variant + " " + text_of(kernel.parameters);
}

std::string nearby_text(const TuneResult& result) { return ratios_text(result.neighbours); }

std::string nearby_text(const ProfileEntry& entry) {
  return ratios_text(std::views::drop(entry.observations, 1));
}

bool default_won(const TuneResult& result) {
  return result.best_seconds > 0 && result.best == result.default_kernel;
}

std::string speedup_range(const TuneResult& result) {
  if (!std::isfinite(result.speedup_upper)) return "too few rounds";
  return fmt::format("{:.2f} to {:.2f}", result.speedup_lower, result.speedup_upper);
}

bool timed(const Trial& trial) {
  const double seconds = trial.seconds();
  return trial.good() && std::isfinite(seconds) && seconds > 0;
}

std::vector<OutcomeCount> count_outcomes(const std::vector<Trial>& trials) {
  std::vector<OutcomeCount> counts;
  for (const Outcome outcome : outcomes()) {
    const auto count = std::ranges::count(trials, outcome, &Trial::outcome);
    if (count > 0) counts.push_back({outcome, static_cast<std::size_t>(count)});
  }
  return counts;
}

}  // namespace tessera::tool
