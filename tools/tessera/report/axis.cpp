// Placing values, choosing ticks.
#include "report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace tessera::tool {
namespace {

constexpr std::size_t kMaxTicks = 7;
constexpr double kMin = 1e-30, kMax = 1e30;  // of what has a place on a logarithmic axis

}  // namespace

Axis::Axis(double low, double high, bool logarithmic)
    : low_(low), high_(high), logarithmic_(logarithmic) {}

Axis Axis::linear(double low, double high) {
  if (!std::isfinite(high - low)) return {0, 1, false};
  return {low, high > low ? high : low + 1, false};
}

Axis Axis::logarithmic(double low, double high) {
  if (!(low >= kMin && high <= kMax)) return {1, 10, true};
  return {low, high > low ? high : 2 * low, true};
}

Axis Axis::around(std::span<const double> values) {
  double low = kMax, high = 0;
  for (const double value : values) {
    if (!(value > 1e3 * kMin && value < 1e-3 * kMax)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(high > 0)) return logarithmic(1, 10);
  const double room = std::clamp(std::pow(high / low, 0.06), 1.12, 1e3);
  return logarithmic(low / room, high * room);
}

double Axis::at(double value) const {
  const double place = logarithmic_ ? std::log(value / low_) / std::log(high_ / low_)
                                    : (value - low_) / (high_ - low_);
  return std::isnan(place) ? 0 : std::clamp(place, 0.0, 1.0);
}

std::vector<double> Axis::ticks() const {
  if (logarithmic_ && high_ / low_ > 8) return decades();
  return steps();
}

std::vector<double> Axis::decades() const {
  std::vector<double> all, whole;
  for (double exponent = std::floor(std::log10(low_)); std::pow(10, exponent) <= high_;
       exponent++) {
    for (const double mantissa : {1.0, 2.0, 5.0}) {
      const double tick = mantissa * std::pow(10, exponent);
      if (tick < low_ || tick > high_) continue;
      all.push_back(tick);
      if (mantissa == 1) whole.push_back(tick);
    }
  }
  if (all.size() <= kMaxTicks) return all;
  std::vector<double> some;  // every so many decades
  const std::size_t step = (whole.size() + kMaxTicks - 1) / kMaxTicks;
  for (std::size_t i = 0; i < whole.size(); i += step) some.push_back(whole[i]);
  return some;
}

std::vector<double> Axis::steps() const {
  const double rough = (high_ - low_) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double mantissa : {5.0, 2.0, 1.0}) {
    if (mantissa * power >= rough) step = mantissa * power;
  }
  std::vector<double> ticks;
  const double first = std::ceil(low_ / step);
  for (std::size_t i = 0; i < kMaxTicks && (first + static_cast<double>(i)) * step <= high_; i++)
    ticks.push_back((first + static_cast<double>(i)) * step);
  return ticks;
}

std::string tick_of_seconds(double seconds) {
  if (seconds >= 0.9995) return fmt::format("{:.4g} s", seconds);
  if (seconds >= 0.9995e-3) return fmt::format("{:.4g} ms", seconds * 1e3);
  if (seconds >= 0.9995e-6) return fmt::format("{:.4g} µs", seconds * 1e6);
  return fmt::format("{:.4g} ns", seconds * 1e9);
}

}  // namespace tessera::tool
