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
  result.lower = kInfinity;
  const double n = static_cast<double>(vector.size());
  result.largest = *std::ranges::max_element(vector);
  // What products lost that were too small for the numbers' range.
  const double lost = 2 * n * std::numeric_limits<double>::denorm_min();
  const double much = 0x1p100 * lost;
  const double unseen = precision.floor > 0 ? up(n * precision.floor * result.largest) : 0;
  const double relative = precision.relative + 0x1p-99;
  result.positive = true;
  for (std::size_t i = 0; i < vector.size(); i++) {
    if (!(vector[i] > 0) || !(ratios[i] < kInfinity)) {
      result.positive = false;
      continue;
    }
    // Where that is nothing beside the ratio, the relative error's own rounding covers it.
    const bool is_lost = ratios[i] * vector[i] < much;
    const double error = up(ratios[i] * relative);
    const double low = ratios[i] - error - (is_lost ? up(lost / vector[i]) : 0);
    const double high =
        ratios[i] + error + (is_lost || unseen > 0 ? up(up(lost + unseen) / vector[i]) : 0);
    result.lower = std::min(result.lower, std::max(0.0, down(low)));
    result.upper = std::max(result.upper, up(high));
  }
  result.value = result.lower + (result.upper - result.lower) / 2;
  const double unit = 1 / result.largest;
  for (std::size_t i = 0; i < vector.size(); i++) {
    const double off = std::fabs(ratios[i] - result.value) * (vector[i] * unit);
    result.residual = std::max(result.residual, off);
  }
  result.residual /= result.value;
  return result;
}

}  // namespace tessera::inline v0::eigen
