// Scalar: a factor of any element type, wide enough for all of them.
#pragma once

#include <complex>
#include <concepts>
#include <string>
#include <type_traits>

#include <tessera/element_type.hpp>

namespace tessera::inline v0 {

/// alpha, beta and other factors of operations, in 16 bytes. An operation rounds a factor to the
/// type in which it sums. It throws ArgumentError for a factor that an integer type does not hold.
/// Real elements accept no imaginary part.
class Scalar {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr Scalar(T value) : real_(static_cast<double>(value)) {}  // NOLINT: converts

  /// The same for the element types of 16 bits.
  template <Element T>
  requires(!std::is_arithmetic_v<T> &&
           std::constructible_from<float, T>) constexpr Scalar(T value)  // NOLINT: converts
      : Scalar(float(value)) {}

  template <std::floating_point T>
  constexpr Scalar(std::complex<T> value)  // NOLINT: converts
      : real_(static_cast<double>(value.real())), imaginary_(static_cast<double>(value.imag())) {}

  constexpr double real() const { return real_; }
  constexpr double imaginary() const { return imaginary_; }

  friend constexpr bool operator==(const Scalar&, const Scalar&) = default;

 private:
  double real_ = 0, imaginary_ = 0;
};

/// "1.5", or "1.5-2i" if there is an imaginary part.
TESSERA_API std::string to_string(const Scalar& scalar);

}  // namespace tessera::inline v0
