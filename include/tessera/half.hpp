// half: an IEEE 754 binary16 number that is stored in 16 bits; arithmetic is done in float.
#pragma once

#include <bit>
#include <cstdint>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// A 16-bit floating-point number. Converting from float rounds to nearest, ties to even.
class TESSERA_API half {
 public:
  constexpr half() = default;
  explicit constexpr half(float value) : bits_(from_float(value)) {}
  explicit constexpr operator float() const { return to_float(bits_); }

  static constexpr half from_bits(std::uint16_t bits) {
    half result;
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  /// Compares values: 0 equals -0, and NaN equals nothing.
  friend constexpr bool operator==(half a, half b) { return float(a) == float(b); }

 private:
  static constexpr std::uint16_t from_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return sign | 0x7e00u;   // NaN
    if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // rounds to 65536 or more
    if (magnitude < 0x38800000u) {
      // Below the smallest normal number: this sum rounds to a multiple of 2^-24.
      const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
      return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u);
    }
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    return sign | static_cast<std::uint16_t>((magnitude - 0x38000000u + 0xfffu + odd) >> 13);
  }

  static constexpr float to_float(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u) {
      return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    }
    if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }

  std::uint16_t bits_ = 0;
};

}  // namespace tessera::inline v0
