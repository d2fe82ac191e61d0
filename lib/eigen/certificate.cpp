// The Collatz-Wielandt interval, with every rounding outwards.
#include "eigen/certificate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::inline v0::eigen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The next double below or above a non-negative one; down(0) is 0.
double down(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits == 0 ? 0 : std::bit_cast<double>(bits - 1);
}
double up(double value) {
  return value < kInfinity ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) + 1) : value;
}

std::optional<std::size_t> first_unproven_row(std::span<const double> vector,
                                              std::span<const double> ratios) {
  for (std::size_t i = 0; i < vector.size(); i++) {
    const bool proven = vector[i] > 0 && vector[i] < kInfinity && ratios[i] < kInfinity;
    if (!proven) return i;  // a comparison with NaN is false
  }
  return {};
}

}  // namespace

Evidence evidence_of(std::span<const double> vector, std::span<const double> ratios) {
  Evidence evidence{};
  evidence.size = vector.size();
  evidence.unproven_row = first_unproven_row(vector, ratios);
  if (vector.empty() || evidence.unproven_row) return evidence;
  const auto [minimum, largest] = std::ranges::minmax(vector);
  const auto [lowest, highest] = std::ranges::minmax(ratios);
  const double middle = lowest + (highest - lowest) / 2;
  double deviation = 0;
  for (std::size_t i = 0; i < vector.size(); i++)
    deviation = std::max(deviation, std::fabs(ratios[i] - middle) * (vector[i] / largest));
  return {vector.size(), {}, minimum, largest, lowest, highest, middle, deviation};
}

std::optional<Certificate> certify(const Evidence& evidence, const Precision& precision) {
  const auto& [size, unproven_row, minimum, largest, lowest, highest, middle, deviation] = evidence;
  if (size == 0 || unproven_row) return {};
  // The vector may also have lost `smallest` on the device, both in products and as the divisor.
  const double relative = up(precision.relative + 2 * up(precision.smallest / minimum));
  // Underflow in each product, in its rounding error and low parts, and in the ratio itself.
  const double n = static_cast<double>(size);
  const double lost = 8 * n * precision.smallest;
  const double unseen = precision.floor > 0 ? up(n * precision.floor * largest) : 0;
  const double divisor = std::min(minimum, 1.0);
  const double error_below = up(up(lowest * relative) + up(lost / divisor));
  const double error_above = up(up(highest * relative) + up(up(lost + unseen) / divisor));
  Certificate result{.lower = down(std::max(0.0, lowest - error_below)),
                     .upper = up(highest + error_above),
                     .value = 0,
                     .residual = kInfinity,
                     .largest = largest};
  result.value = result.lower;
  if (!(result.upper < kInfinity)) return result;
  result.value += (result.upper - result.lower) / 2;
  const double difference = std::fabs(middle - result.value);
  result.residual = up((deviation + difference) / result.value +
                       std::max(error_below, error_above) / result.value);
  return result;
}

}  // namespace tessera::inline v0::eigen
