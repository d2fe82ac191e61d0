// Scalar: a factor of any element type, wide enough for all of them.
#pragma once

#include <concepts>
#include <type_traits>

#include <tessera/element_type.hpp>

namespace tessera::inline v0 {

/// alpha, beta and other factors of operations, in 16 bytes. An operation rounds a factor to the
/// type in which it sums; it throws ArgumentError for one that an integer type does not hold.
class Scalar {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr Scalar(T value) : real_(static_cast<double>(value)) {}  // NOLINT: converts

  /// The same for the element types of 16 bits.
  template <Element T>
  requires(!std::is_arithmetic_v<T>) constexpr Scalar(T value)  // NOLINT: converts
      : Scalar(float(value)) {}

  constexpr double real() const { return real_; }
  constexpr double imaginary() const { return imaginary_; }

  friend constexpr bool operator==(const Scalar&, const Scalar&) = default;

 private:
  double real_ = 0, imaginary_ = 0;
};

}  // namespace tessera::inline v0
