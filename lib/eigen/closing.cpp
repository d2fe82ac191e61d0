// Estimates the rate at which rounds converge, and how much faster restarts narrow the bounds.
#include "eigen/closing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eigen/device_state.hpp"

namespace tessera::inline v0::eigen {
namespace {

constexpr std::size_t kObserved = kBatch / 2;  // long enough for widths that oscillate

double width_of(const EigenBounds& bounds) { return bounds.upper - bounds.lower; }

/// Estimates the factor by which a restart and the batch before it divide the width. If all other
/// eigenvalues are real, the best combination of 13 vectors is at least as good as the Chebyshev
/// polynomial of degree 12 over the eigenvalues up to `factor`. Four rounds follow the combination
/// (extrapolation.cpp). If few eigenvalues are close to the first, the usual case, the combination
/// is far better.
double gain(double factor) {
  constexpr double kUsual = 100;
  const double chebyshev = std::cosh(12 * std::acosh(1 / factor)) * std::pow(factor, -4);
  return std::max(kUsual, chebyshev);
}

}  // namespace

Closing closing_of(std::span<const EigenBounds> rounds, double tolerance) {
  if (rounds.size() <= kObserved) return {0, 0, 0};
  const EigenBounds& last = rounds.back();
  const double width = width_of(last), before = width_of(rounds[rounds.size() - 1 - kObserved]);
  const double factor = std::pow(width / before, 1.0 / kObserved);
  return {width, tolerance * last.upper, factor < 1 ? factor : 1};
}

double rounds_left(const Closing& closing) {
  const auto [width, goal, factor] = closing;
  if (!(width > goal)) return 0;
  if (!(factor < 1)) return std::numeric_limits<double>::infinity();
  if (!(factor > 0)) return 1;
  return std::log(goal / width) / std::log(factor);
}

Costs expected_costs(std::size_t n, double bytes, const DeviceInfo& device) {
  const double rows = static_cast<double>(n);
  // A unit's share of the memory's speed: of the right order on CPUs and on large GPUs.
  const double bytes_a_second = 15e9 * std::max(device.compute_units, 1u);
  return {.round = 8e-6 + bytes / bytes_a_second,
          .restart = 1e-4 + 8e-7 * rows,
          .host = 3e-9 * rows * rows * rows};
}

bool restarts_pay(const Closing& closing, const Costs& costs) {
  const double left = rounds_left(closing);
  if (left == 0 || !std::isfinite(left)) return left > 0;
  const double restarts =
      std::ceil(std::log(closing.width / closing.goal) / std::log(gain(closing.factor)));
  return restarts * (kBatch * costs.round + costs.restart) < left * costs.round;
}

double rounds_worth(const Costs& costs) {
  return costs.host / (costs.round + costs.restart / kBatch);
}

}  // namespace tessera::inline v0::eigen
