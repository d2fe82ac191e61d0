// bfloat16: the upper 16 bits of a float; arithmetic is done in float.
#pragma once

#include <bit>
#include <cstdint>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// A 16-bit floating-point number with the exponent of a float and 8 bits of precision. Converting
/// from float rounds to nearest, ties to even.
class TESSERA_API bfloat16 {
 public:
  constexpr bfloat16() = default;
  explicit constexpr bfloat16(float value) : bits_(from_float(value)) {}
  explicit constexpr operator float() const {
    return std::bit_cast<float>(std::uint32_t{bits_} << 16);
  }

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result;
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  /// Compares values: 0 equals -0, and NaN equals nothing.
  friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return float(a) == float(b); }

 private:
  static constexpr std::uint16_t from_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)  // a NaN keeps its sign and stays one
      return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }

  std::uint16_t bits_ = 0;
};

}  // namespace tessera::inline v0
