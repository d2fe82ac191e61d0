// Roofline: how far default and winner are from what memory and arithmetic allow.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "figures.hpp"
#include "report/chart_parts.hpp"
#include "report/charts.hpp"
#include "report/markup.hpp"

namespace tessera::tool {
namespace {

constexpr double kRoofHeight = 220;

bool usable(double value) { return value > 0 && std::isfinite(value); }

class Roof {
 public:
  Roof(const Work& work, const Peak& peak, double default_seconds, double best_seconds)
      : peak_(peak),
        intensity_(work.flops / work.bytes),
        default_(usable(default_seconds) ? work.flops / default_seconds : 0),
        best_(usable(best_seconds) ? work.flops / best_seconds : 0),
        x_(Axis::logarithmic(std::min(intensity_, ridge()) / 8, std::max(intensity_, ridge()) * 8)),
        y_(Axis::logarithmic(lowest() / 3, 2.5 * std::max(peak.flops, highest()))) {}

  std::string chart() const {
    return labels() + roof() + reach() + point(default_, "default", false) +
           point(best_, "tuned", true);
  }

 private:
  double ridge() const { return peak_.flops / peak_.bytes; }
  double limit() const { return std::min(peak_.flops, intensity_ * peak_.bytes); }
  double highest() const { return std::max({default_, best_, limit()}); }
  double lowest() const {
    const double slower = usable(default_) ? std::min(default_, best_) : best_;
    return std::min(usable(slower) ? slower : limit(), limit());
  }
  double y(double flops) const { return kRoofHeight * (1 - y_.at(flops)); }

  std::string line(const char* kind, double x1, double y1, double x2, double y2) const {
    return leaf("line", {{"class", kind},
                         {"x1", percent(x_.at(x1))},
                         {"y1", y(y1)},
                         {"x2", percent(x_.at(x2))},
                         {"y2", y(y2)}});
  }

  std::string roof() const {
    // The slope starts where it comes into the picture.
    constexpr double kStep = 1.02;
    const auto is_outside = [&](double x) { return x_.at(x) <= 0 || y_.at(x * peak_.bytes) <= 0; };
    double from = intensity_ * 1e-9;
    while (kStep * from < ridge() && is_outside(kStep * from)) from *= kStep;
    return line("roof", from, from * peak_.bytes, ridge(), peak_.flops) +
           line("roof", ridge(), peak_.flops, ridge() * 1e9, peak_.flops) +
           element("text", {{"class", "end"}, {"x", "100%"}, {"y", y(peak_.flops) - 7}},
                   rate(peak_.flops, "FLOP/s")) +
           slope_label(std::sqrt(from * ridge()));
  }

  /// Under the slope, in its middle.
  std::string slope_label(double intensity) const {
    return element("text",
                   {{"class", "start"},
                    {"x", percent(x_.at(intensity))},
                    {"dx", 10.0},
                    {"y", y(intensity * peak_.bytes) + 12}},
                   rate(peak_.bytes, "B/s"));
  }

  std::string reach() const { return line("reference", intensity_, 1e-99, intensity_, limit()); }

  std::string point(double flops, const char* label, bool tuned) const {
    if (!usable(flops)) return {};
    const bool right = x_.at(intensity_) < 0.55;
    return leaf("circle", {{"class", tuned ? "spot tuned" : "spot"},
                           {"cx", percent(x_.at(intensity_))},
                           {"cy", y(flops)},
                           {"r", 5.0}}) +
           element("text",
                   {{"class", right ? "start halo" : "end halo"},
                    {"x", percent(x_.at(intensity_))},
                    {"dx", right ? 11.0 : -11.0},
                    {"y", y(flops) + (tuned ? 1.0 : 9.0)}},
                   fmt::format("{} {}", label, rate(flops, "FLOP/s")));
  }

  std::string labels() const {
    std::string all;
    for (const double tick : y_.ticks()) {
      all +=
          leaf("line",
               {{"class", "grid"}, {"x1", "0%"}, {"x2", "100%"}, {"y1", y(tick)}, {"y2", y(tick)}});
      const auto [number, prefix] = prefixed(tick);
      all += element("text", {{"class", "left"}, {"x", -8.0}, {"y", y(tick) + 4}},
                     fmt::format("{:.4g} {}", number, prefix));
    }
    for (const double tick : x_.ticks()) {
      all += element("text",
                     {{"class", "middle"}, {"x", percent(x_.at(tick))}, {"y", kRoofHeight + 17}},
                     fmt::format("{:.4g}", tick));
    }
    return all;
  }

  static std::string rate(double value, const char* unit) {
    const auto [number, prefix] = prefixed(value);
    return fmt::format("{} {}{}", three_digits(number), prefix, unit);
  }

  Peak peak_;
  double intensity_, default_, best_;
  Axis x_, y_;
};

}  // namespace

std::string roofline_chart(const TuneResult& result, const Peak& peak) {
  const Work work = work_of(result.problem);
  for (const double needed : {peak.flops, peak.bytes, work.flops, work.bytes}) {
    if (!usable(needed)) return {};
  }
  if (!usable(result.default_seconds) && !usable(result.best_seconds)) return {};
  const Roof roof(work, peak, result.default_seconds, result.best_seconds);
  return figure(
      "FLOP/s over operations for each byte that has to move. The roof is measured: "
      "multiply-adds in registers, and a copy.",
      plot("Roofline", kRoofHeight, roof.chart()));
}

}  // namespace tessera::tool
