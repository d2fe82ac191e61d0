// Generated: pseudo-random numbers, the same on a device and the host, each from its index.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tessera/matrix.hpp"

namespace tessera::inline v0::reference {

/// A hash of two numbers, the same as in cl/operands/fill.cl.
constexpr std::uint64_t hash(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = seed + (index + 1) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

enum class Range {
  symmetric,  ///< [-1, 1)
  positive,   ///< [1/8, 9/8)
};

/// Numbers with as many bits as T holds, so that its full precision is used, and exact; for
/// integers all values.
template <Element T>
class Generated {
 public:
  explicit Generated(std::uint64_t seed, Range range = Range::symmetric) : seed_(hash(seed, 0)) {
    constexpr bool is_integer = std::integral<T>;
    if (is_integer) return;
    const int bits = kDigits - (range == Range::positive ? 1 : 0);
    low_ =
        range == Range::positive ? std::int64_t{1} << (bits - 3) : -(std::int64_t{1} << (bits - 1));
    shift_ = 64U - static_cast<unsigned>(bits);
    scale_ =
        1.0 / static_cast<double>(std::int64_t{1} << (range == Range::positive ? bits : bits - 1));
  }

  T operator[](std::uint64_t index) const {
    const auto number = low_ + static_cast<std::int64_t>(hash(seed_, index) >> shift_);
    if constexpr (std::integral<T>) {
      return static_cast<T>(static_cast<std::uint32_t>(number));
    } else if constexpr (std::is_same_v<T, half>) {
      return static_cast<half>(static_cast<float>(static_cast<double>(number) * scale_));
    } else {
      return static_cast<T>(static_cast<double>(number) * scale_);
    }
  }

  /// A matrix whose i-th element in row-major order is number i; generated on the device.
  Matrix<T> matrix(const Engine& engine, std::size_t rows, std::size_t columns) const;

 private:
  void fill(const Engine& engine, Matrix<T>& made, std::size_t count) const;

  static constexpr int kDigits = std::is_same_v<T, double> ? 53 : std::is_same_v<T, half> ? 11 : 24;

  std::uint64_t seed_;
  std::int64_t low_ = 0;
  unsigned shift_ = 32;
  double scale_ = 1;
};

}  // namespace tessera::inline v0::reference
