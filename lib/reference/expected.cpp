// Elements of reference products, real and complex.
#include "reference/expected.hpp"

#include <cmath>

namespace tessera::inline v0::reference {
namespace {

/// |number|, or 0 if it is not finite.
template <class Number>
Number magnitude(Number number) {
  return std::isfinite(number) ? std::fabs(number) : Number(0);
}

/// alpha * sum of products + beta * before.
template <class Sum>
Expected expected_real(const Lines& of, const ProductTypes& types, const Update& update) {
  const double alpha = update.alpha.real(), beta = update.beta.real(), before = update.before[0];
  Sum sum = 0, products = 0, flushed = 0;
  for (std::size_t p = 0; p < of.k; p++) {
    const Sum product = static_cast<Sum>(of.a[p]) * of.b[p];
    sum += product;
    products += magnitude(product);
    if (may_be_flushed(types.a, of.a[p]) || may_be_flushed(types.b, of.b[p]))
      flushed += magnitude(product);
  }
  const double old = magnitude(beta) * magnitude(before);
  return {{static_cast<double>(alpha * sum + static_cast<Sum>(beta) * before)},
          {.k = of.k,
           .magnitude = static_cast<double>(products),
           .alpha = magnitude(alpha),
           .before = old,
           .flushed = magnitude(alpha) * static_cast<double>(flushed) +
                      (may_be_flushed(types.c, before) ? old : 0)},
          static_cast<double>(std::fabs(sum))};
}

/// The magnitude of a complex number's finite parts. Sum has a wider range than the parts.
template <class Sum>
Sum magnitude(Sum real, Sum imaginary) {
  real = magnitude(real);
  imaginary = magnitude(imaginary);
  return std::sqrt(real * real + imaginary * imaginary);
}
double magnitude_of_parts(const Scalar& scalar) {
  return magnitude(scalar.real()) + magnitude(scalar.imaginary());
}

/// The magnitude of the parts of a complex number that a device may treat as 0.
double flushable(ElementType type, const double* parts) {
  const auto part = [&](double number) { return may_be_flushed(type, number) ? number : 0.0; };
  return magnitude(part(parts[0]), part(parts[1]));
}

/// factor * (real, imaginary), where a real factor scales each part.
template <class Sum>
std::array<Sum, 2> scaled(const Scalar& factor, const std::array<Sum, 2>& z) {
  const Sum real = factor.real(), imaginary = factor.imaginary();
  if (imaginary == 0) return {real * z[0], real * z[1]};
  return {real * z[0] - imaginary * z[1], real * z[1] + imaginary * z[0]};
}

/// The same for complex elements.
template <class Sum>
Expected expected_complex(const Lines& of, const ProductTypes& types, const Update& update) {
  std::array<Sum, 2> sum = {};
  Sum products = 0, flushed = 0;
  for (std::size_t p = 0; p < of.k; p++) {
    const double *const a = of.a + 2 * p, *const b = of.b + 2 * p;
    const Sum a_real = a[0], a_imaginary = a[1], b_real = b[0], b_imaginary = b[1];
    sum[0] += a_real * b_real;
    sum[0] -= a_imaginary * b_imaginary;
    sum[1] += a_real * b_imaginary;
    sum[1] += a_imaginary * b_real;
    const Sum of_a = magnitude(a_real, a_imaginary), of_b = magnitude(b_real, b_imaginary);
    products += of_a * of_b;
    flushed += flushable(types.a, a) * of_b + of_a * flushable(types.b, b);
  }
  const auto& [alpha, beta, before] = update;
  const auto product = scaled(alpha, sum);
  const auto old = scaled(beta, std::array<Sum, 2>{before[0], before[1]});
  const double of_beta = static_cast<double>(magnitude<long double>(beta.real(), beta.imaginary()));
  return {{static_cast<double>(product[0] + old[0]), static_cast<double>(product[1] + old[1])},
          {.k = of.k,
           .magnitude = static_cast<double>(products),
           .alpha = magnitude_of_parts(alpha),
           .before = of_beta * static_cast<double>(magnitude<long double>(before[0], before[1])),
           .flushed = magnitude_of_parts(alpha) * static_cast<double>(flushed) +
                      of_beta * flushable(types.c, before.data())},
          static_cast<double>(magnitude(sum[0], sum[1]))};
}

template <class Sum>
Expected expected_in(const Lines& of, const ProductTypes& types, const Update& update) {
  return is_complex(types.a) ? expected_complex<Sum>(of, types, update)
                             : expected_real<Sum>(of, types, update);
}

}  // namespace

Expected expected(const Lines& of, const ProductTypes& types, const Update& update) {
  return operands::part_type(types.sum) == ElementType::float64
             ? expected_in<long double>(of, types, update)
             : expected_in<double>(of, types, update);
}

}  // namespace tessera::inline v0::reference
