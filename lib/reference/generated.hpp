// Generated: pseudo-random numbers, the same on a device and the host, each from its index.
#pragma once

#include <cstdint>

#include "tessera/detail/operand.hpp"

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

/// Numbers with as many bits as the type holds, so that its full precision is used, and exact; for
/// integers all values.
class Generated {
 public:
  Generated(ElementType type, std::uint64_t seed, Range range = Range::symmetric);

  double operator[](std::uint64_t index) const;

  /// A matrix whose i-th element in row-major order is number i, or, if complex, whose parts are
  /// numbers 2 i and 2 i + 1; generated on the device.
  detail::Operand matrix(const Engine& engine, std::size_t rows, std::size_t columns) const;

 private:
  void fill(const Engine& engine, const detail::Operand& made, std::size_t count) const;

  ElementType type_;
  std::uint64_t seed_;
  std::int64_t low_ = 0;
  unsigned shift_ = 32;
  double scale_ = 1;
};

}  // namespace tessera::inline v0::reference
