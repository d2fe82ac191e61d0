// The interval of Collatz and Wielandt, with every rounding outwards.
#include "eigen/certificate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::inline v0::eigen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The next doubles below and above one that is not negative.
double down(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits == 0 ? 0 : std::bit_cast<double>(bits - 1);
}
double up(double value) {
  return value < kInfinity ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) + 1) : value;
}

}  // namespace

Certificate certify(std::span<const double> vector, std::span<const double> ratios,
                    const Precision& precision) {
  Certificate result;
  double minimum = kInfinity, largest = 0, lowest = kInfinity, highest = 0;
  bool positive = true;
  for (std::size_t i = 0; i < vector.size(); i++) {
    positive = positive && vector[i] > 0 && ratios[i] < kInfinity;  // a NaN is neither
    minimum = std::min(minimum, vector[i]);
    largest = std::max(largest, vector[i]);
    lowest = std::min(lowest, ratios[i]);
    highest = std::max(highest, ratios[i]);
  }
  result.largest = largest;
  result.positive = positive;
  if (!positive) return result;
  // Of each product, its rounding and the low parts.
  const double n = static_cast<double>(vector.size());
  const double lost = 8 * n * precision.smallest;
  const double unseen = precision.floor > 0 ? up(n * precision.floor * largest) : 0;
  const double error_below = up(up(lowest * precision.relative) + up(lost / minimum));
  const double error_above = up(up(highest * precision.relative) + up(up(lost + unseen) / minimum));
  result.lower = down(std::max(0.0, lowest - error_below));
  result.upper = up(highest + error_above);
  if (!(result.upper < kInfinity)) {
    result.value = result.lower;
    result.residual = kInfinity;
    return result;
  }
  result.value = result.lower + (result.upper - result.lower) / 2;
  const double unit = 1 / largest;
  for (std::size_t i = 0; i < vector.size(); i++) {
    const double off = std::fabs(ratios[i] - result.value) * (vector[i] * unit);
    result.residual = std::max(result.residual, off);
  }
  result.residual /= result.value;
  return result;
}

}  // namespace tessera::inline v0::eigen
