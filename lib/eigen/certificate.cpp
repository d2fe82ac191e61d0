// The interval of Collatz and Wielandt, with every rounding outwards.
#include "eigen/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::inline v0::eigen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double down(double value) { return std::nextafter(value, 0.0); }
double up(double value) { return std::nextafter(value, kInfinity); }

}  // namespace

Certificate certify(std::span<const double> vector, std::span<const double> ratios,
                    const Precision& precision) {
  Certificate result;
  result.lower = kInfinity;
  const double n = static_cast<double>(vector.size());
  result.largest = *std::ranges::max_element(vector);
  // What products lost that were too small for the numbers' range.
  const double lost = 2 * n * std::numeric_limits<double>::denorm_min();
  const double unseen = up(n * precision.floor * result.largest);
  result.positive = true;
  for (std::size_t i = 0; i < vector.size(); i++) {
    if (!(vector[i] > 0) || !(ratios[i] < kInfinity)) {
      result.positive = false;
      continue;
    }
    const double low = ratios[i] - up(ratios[i] * precision.relative) - up(lost / vector[i]);
    const double high =
        ratios[i] + up(ratios[i] * precision.relative) + up(up(lost + unseen) / vector[i]);
    result.lower = std::min(result.lower, std::max(0.0, down(low)));
    result.upper = std::max(result.upper, up(high));
  }
  result.value = result.lower + (result.upper - result.lower) / 2;
  for (std::size_t i = 0; i < vector.size(); i++) {
    const double off = std::fabs(ratios[i] - result.value) * (vector[i] / result.largest);
    result.residual = std::max(result.residual, off / result.value);
  }
  return result;
}

}  // namespace tessera::inline v0::eigen
