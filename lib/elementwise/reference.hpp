// An element of a scaled sum as the host computes it, with its error bound.
#pragma once

#include <cmath>
#include <cstdint>

#include "operands/numbers.hpp"
#include "reference/bound.hpp"

namespace tessera::inline v0::elementwise {

using reference::Bounded;

/// alpha * a + beta * b + constant; a factor of 0 means that its element is not read.
struct Factors {
  double alpha, beta, constant;
};

/// The bound that `add_into` documents; the reference of a double is summed in long double.
inline Bounded reference_sum(ElementType type, const Factors& of, double a, double b) {
  if (operands::is_integer(type)) {
    const auto bits = [](double number) {
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(number));
    };
    const auto sum = bits(of.alpha) * bits(a) + bits(of.beta) * bits(b) + bits(of.constant);
    return {static_cast<double>(static_cast<std::int32_t>(sum)), 0};
  }
  const auto scaled = [](double factor, double element) {
    return factor == 0 ? 0 : static_cast<long double>(factor) * element;
  };
  const long double of_a = scaled(of.alpha, a), of_b = scaled(of.beta, b);
  const double value = static_cast<double>(of_a + of_b + of.constant);
  const double magnitude =
      static_cast<double>(std::fabs(of_a) + std::fabs(of_b)) + std::fabs(of.constant);
  const ElementType sum = ProductTypes(type).sum;
  return {value, 4 * reference::roundoff(sum) * magnitude + 3 * reference::smallest_normal(sum) +
                     reference::storing_error(type, value)};
}

}  // namespace tessera::inline v0::elementwise
