// An element of a scaled sum as the host computes it, with its error bound.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>

#include "operands/numbers.hpp"
#include "reference/bound.hpp"

namespace tessera::inline v0::elementwise {

using reference::Bounded;

/// alpha * a + beta * b + constant; a factor of 0 means that its element is not read.
struct Factors {
  Scalar alpha, beta, constant;
};

/// The error of a sum of terms with these magnitudes, of the type in which it is summed.
inline double summing_error(ElementType sum, double magnitude) {
  return 4 * reference::roundoff(sum) * magnitude +
         (is_complex(sum) ? 8 : 3) * reference::smallest_normal(sum);
}

/// The bound that `add_into` documents; the reference of a double is summed in long double.
inline Bounded reference_sum(ElementType type, const Factors& of, double a, double b) {
  const double alpha = of.alpha.real(), beta = of.beta.real(), constant = of.constant.real();
  if (operands::is_integer(type)) {
    const auto bits = [](double number) {
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(number));
    };
    const auto sum = bits(alpha) * bits(a) + bits(beta) * bits(b) + bits(constant);
    return {static_cast<double>(static_cast<std::int32_t>(sum)), 0};
  }
  const auto scaled = [](double factor, double element) {
    return factor == 0 ? 0 : static_cast<long double>(factor) * element;
  };
  const long double of_a = scaled(alpha, a), of_b = scaled(beta, b);
  const double value = static_cast<double>(of_a + of_b + constant);
  const double magnitude =
      static_cast<double>(std::fabs(of_a) + std::fabs(of_b)) + std::fabs(constant);
  return {value,
          summing_error(ProductTypes(type).sum, magnitude) + reference::storing_error(type, value)};
}

/// The parts of a sum of finite complex elements.
inline std::array<Bounded, 2> reference_sum(ElementType type, const Factors& of,
                                            const std::complex<double>& a,
                                            const std::complex<double>& b) {
  using Wide = std::complex<long double>;
  const auto scaled = [](const Scalar& factor, const std::complex<double>& element) {
    return factor == 0 ? Wide() : Wide(factor.real(), factor.imaginary()) * Wide(element);
  };
  const Wide of_a = scaled(of.alpha, a), of_b = scaled(of.beta, b),
             constant(of.constant.real(), of.constant.imaginary()), value = of_a + of_b + constant;
  const double bound = summing_error(
      type, static_cast<double>(std::abs(of_a) + std::abs(of_b) + std::abs(constant)));
  return {Bounded{static_cast<double>(value.real()), bound},
          Bounded{static_cast<double>(value.imag()), bound}};
}

}  // namespace tessera::inline v0::elementwise
