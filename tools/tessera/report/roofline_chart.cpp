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

constexpr double kRoofHeight = 220,
                 kLabelHeight = 16;  // labels that are closer lie on each other

bool usable(double value) { return value > 0 && std::isfinite(value); }

class Roof {
 public:
  Roof(const Work& work, const Peak& peak, const TuneResult& result)
      : peak_(peak),
        intensity_(work.flops / work.bytes),
        default_(usable(result.default_seconds) ? work.flops / result.default_seconds : 0),
        best_(usable(result.best_seconds) ? work.flops / result.best_seconds : 0),
        default_won_(default_won(result)),
        x_(Axis::logarithmic(std::min(intensity_, ridge()) / 8, std::max(intensity_, ridge()) * 8)),
        y_(Axis::logarithmic(lowest() / 3, 2.5 * std::max(peak.flops, highest()))) {}

  std::string chart() const {
    return labels() + axis_names("FLOP per byte", "FLOP/s", kRoofHeight) + roof() + reach() +
           points();
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

  /// Labels go below the roof, unless their point is above it, and below each other.
  std::string points() const {
    const auto label_of = [&](double flops) {
      return flops > limit() ? y(flops) : std::max(y(flops), y(limit()) + 0.75 * kLabelHeight);
    };
    if (default_won_) return point(best_, label_of(best_), "the default:", true);
    double default_label = label_of(default_), tuned_label = label_of(best_);
    if (usable(default_) && usable(best_) && std::abs(tuned_label - default_label) < kLabelHeight) {
      double& lower = default_ <= best_ ? default_label : tuned_label;
      lower = std::min(default_label, tuned_label) + kLabelHeight;
    }
    return point(default_, default_label, "default", false) +
           point(best_, tuned_label, "tuned", true);
  }

  std::string point(double flops, double label_y, const char* label, bool tuned) const {
    if (!usable(flops)) return {};
    // On the left, the slope of a near ridge would cross the labels.
    const bool right = x_.at(intensity_) < 0.6;
    return leaf("circle", {{"class", tuned ? "spot tuned" : "spot"},
                           {"cx", percent(x_.at(intensity_))},
                           {"cy", y(flops)},
                           {"r", 5.0}}) +
           element("text",
                   {{"class", right ? "start halo" : "end halo"},
                    {"x", percent(x_.at(intensity_))},
                    {"dx", right ? 11.0 : -11.0},
                    {"y", label_y + 4}},
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
  bool default_won_;
  Axis x_, y_;
};

}  // namespace

std::string roofline_chart(const TuneResult& result, const Peak& peak) {
  const Work work = work_of(result.problem);
  for (const double needed : {peak.flops, peak.bytes, work.flops, work.bytes}) {
    if (!usable(needed)) return {};
  }
  if (!usable(result.default_seconds) && !usable(result.best_seconds)) return {};
  const Roof roof(work, peak, result);
  return figure(
      "Speed over the operations per byte that has to move. The roof is measured: multiply-adds in "
      "registers, and reading or copying memory. A point above the roof has its data in a cache, "
      "or "
      "uses faster units than those of multiply-adds.",
      plot("Roofline", kRoofHeight, roof.chart()));
}

}  // namespace tessera::tool
