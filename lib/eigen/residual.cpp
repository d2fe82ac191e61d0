// Computes A v row by row in double, with a bound on the errors by rounding and underflow.
#include "eigen/residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace tessera::inline v0::eigen {
namespace {

using Double = std::numeric_limits<double>;

/// A sum of products of numbers that are not negative.
struct Sum {
  double value = 0;
  bool underflows = false;

  void add_product(double x, double y) {
    const double product = x * y;
    value += product;
    underflows |= product < Double::min() && x > 0 && y > 0;
  }
};

/// Not negative: brings a small root close to 1, and no row's sum beyond the range.
int exponent_for(std::span<const double> a, std::size_t n, double root) {
  double largest = 0;
  for (std::size_t i = 0; i < n; i++) {
    const auto row = a.subspan(i * n, n);
    largest = std::max(largest, std::accumulate(row.begin(), row.end(), 0.0));
  }
  if (!(root > 0) || !std::isfinite(largest)) return 0;
  return std::max(0, std::min(-std::ilogb(root), 1000 - std::ilogb(largest)));
}

}  // namespace

double residual_of(std::span<const double> a, std::span<const double> vector, double value) {
  const std::size_t n = vector.size();
  // A row's products, their sum and value times the component are rounded by at most n u and u, the
  // difference, this bound and the quotient by 3 u more; to first order. A product below the normal
  // range is rounded by half the smallest number: all is multiplied by a power of two, so that this
  // is little beside a root that is below it, too.
  const double roundings = (static_cast<double>(n) + 5) * 0x1p-53;
  const int exponent = exponent_for(a, n, value);
  const double root = std::ldexp(value, exponent);
  double largest = 0;
  for (std::size_t i = 0; i < n; i++) {
    Sum row, own;
    for (std::size_t j = 0; j < n; j++) {
      row.add_product(std::ldexp(a[i * n + j], exponent), vector[j]);
    }
    own.add_product(root, vector[i]);
    const double lost =
        row.underflows || own.underflows ? (static_cast<double>(n) + 5) * Double::denorm_min() : 0;
    // Not of the sum of both, which may be beyond the range.
    const double rounding = roundings * row.value + roundings * own.value;
    largest = std::max(largest, std::fabs(row.value - own.value) + rounding + lost);
  }
  return largest == 0 ? 0 : largest / root;
}

}  // namespace tessera::inline v0::eigen
