// Random operands: numbers of many kinds, and places of matrices in the memory around them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <tessera/multiply_batched.hpp>
#include <type_traits>
#include <vector>

namespace tessera::test {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t index) {
    std::seed_seq sequence{seed, seed >> 32, index, index >> 32};
    engine_.seed(sequence);
  }
  std::uint64_t bits() { return engine_(); }
  /// A random number from 0 to count - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool chance(double probability) { return unit() < probability; }
  template <class Container>
  const auto& of(const Container& choices) {
    return choices[below(std::size(choices))];
  }

 private:
  std::mt19937_64 engine_;
};

/// Stored in 16 bits, and computed with in float.
template <Element T>
inline constexpr bool kIsShort = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

template <Element T>
inline constexpr bool kIsComplex = is_complex(kElementType<T>);

template <Element T>
double widened(T value) {
  if constexpr (kIsShort<T>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
}
template <Element T>
T narrowed(double value) {
  if constexpr (kIsShort<T>) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

/// Poison for memory outside of all views: it propagates if it is read.
template <Element T>
T poison() {
  if constexpr (std::integral<T>) {
    return static_cast<T>(0x5eed5eed);
  } else if constexpr (kIsComplex<T>) {
    return {poison<typename T::value_type>(), poison<typename T::value_type>()};
  } else {
    return narrowed<T>(std::numeric_limits<double>::quiet_NaN());
  }
}

enum class Numbers { uniform, normal, decades, whole_range, sparse, integers, subnormal };
/// Products of numbers of the whole range overflow often: half as many.
inline constexpr std::array kNumbers = {Numbers::uniform,    Numbers::uniform,   Numbers::normal,
                                        Numbers::normal,     Numbers::decades,   Numbers::decades,
                                        Numbers::sparse,     Numbers::sparse,    Numbers::integers,
                                        Numbers::integers,   Numbers::subnormal, Numbers::subnormal,
                                        Numbers::whole_range};

/// A number of that kind. Of `decades`, magnitudes go over a third of the exponents.
template <Element T>
T random_number(Random& random, Numbers kind) {
  if constexpr (kIsComplex<T>) {
    using Part = typename T::value_type;
    const Part real = random_number<Part>(random, kind);
    return {real, random_number<Part>(random, kind)};
  } else if constexpr (std::integral<T>) {
    if (kind == Numbers::sparse && random.chance(0.7)) return 0;
    if (kind == Numbers::integers)
      return static_cast<T>(static_cast<std::int32_t>(random.between(0, 16)) - 8);
    return static_cast<T>(random.bits());
  } else {
    constexpr bool is_half = std::is_same_v<T, half>, is_double = std::is_same_v<T, double>;
    constexpr int largest = is_half ? 15 : is_double ? 1023 : 127;
    constexpr int digits = is_half ? 11 : is_double ? 53 : std::is_same_v<T, bfloat16> ? 8 : 24;
    constexpr int smallest = 2 - largest - digits;
    const double signed_unit = 2 * random.unit() - 1;
    switch (kind) {
      case Numbers::uniform: return narrowed<T>(signed_unit);
      case Numbers::normal:
        return narrowed<T>(std::sqrt(-2 * std::log(1 - random.unit())) *
                           std::cos(6.283185307179586 * random.unit()));
      case Numbers::decades:
        return narrowed<T>(
            std::ldexp(signed_unit, static_cast<int>(random.below(largest * 2 / 3)) - largest / 3));
      case Numbers::whole_range:
        return narrowed<T>(std::ldexp(
            signed_unit,
            static_cast<int>(random.between(0, static_cast<std::size_t>(largest - smallest))) +
                smallest));
      case Numbers::sparse: return narrowed<T>(random.chance(0.7) ? 0 : signed_unit);
      case Numbers::integers: return narrowed<T>(std::round(8 * signed_unit));
      case Numbers::subnormal: return narrowed<T>(std::ldexp(signed_unit, smallest + digits - 1));
    }
    return T();
  }
}

/// Placement of an operand's batch in a larger matrix: each matrix is a block `stride` elements
/// behind the previous one, stored in the order that the product reads, or transposed.
struct Placement {
  std::size_t home = 0;  ///< which larger matrix
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
  std::size_t width = 0, stride = 0, count = 1;
  bool transposed = false;

  std::size_t index(std::size_t product, std::size_t i, std::size_t j) const {
    if (transposed) std::swap(i, j);
    return (row + i) * width + column + j + product * stride;
  }
};

/// Larger matrices with the operands in them, on the host and on the device.
template <Element T>
struct Homes {
  std::vector<std::vector<T>> host;
  std::vector<Matrix<T>> device;
  std::vector<std::array<std::size_t, 2>> sizes;

  void add(const std::array<std::size_t, 2>& size) {
    host.emplace_back(size[0] * size[1], poison<T>());
    sizes.push_back(size);
  }
  void upload(const Engine& engine) {
    for (std::size_t i = 0; i < host.size(); i++)
      device.emplace_back(engine, sizes[i][0], sizes[i][1], host[i]);
  }

  BatchView<T> view(const Placement& at) {
    return {device[at.home].block(at.row, at.column, at.rows, at.columns), at.count, at.stride};
  }
};

template <Element T>
ConstBatchView<T> viewed(const ConstBatchView<T>& of, Op op) {
  switch (op) {
    case Op::transpose: return of.transposed();
    case Op::conjugate_transpose: return of.adjoint();
    case Op::conjugate: return of.conjugated();
    default: return of;
  }
}

/// Places three operands: each in a matrix of its own, or all in one, below or beside each other.
inline std::array<std::array<std::size_t, 2>, 3> place(Random& random,
                                                       std::array<Placement, 3>& operands) {
  const bool shared = random.chance(0.2), tight = random.chance(0.4);
  const bool in_a_row = shared && operands[0].count == 1 && random.chance(0.5);
  // One operand's batch in a row and another's in a column would make a matrix of gigabytes.
  const bool all_beside = random.chance(0.3);
  const auto margin = [&] {
    return tight ? 0 : random.of(std::array<std::size_t, 5>{0, 1, 3, 8, 17});
  };
  std::array<std::array<std::size_t, 2>, 3> sizes{};
  std::array<bool, 3> in_rows{};  // is the stride one in rows, so far?
  for (std::size_t i = 0; i < 3; i++) {
    Placement& at = operands[i];
    at.home = shared ? 0 : i;
    auto& [height, width] = sizes[at.home];
    // The matrices of a batch likewise; a and b may also repeat one matrix.
    const bool beside = shared ? all_beside : random.chance(0.3),
               repeated = i < 2 && at.count > 1 && random.chance(0.3);
    const std::size_t gap = margin(), copies = repeated ? 1 : std::max<std::size_t>(1, at.count);
    at.stride = repeated ? 0 : beside ? at.columns + gap : at.rows + gap;
    at.row = margin() + (in_a_row ? 0 : height);
    at.column = margin() + (in_a_row ? width : 0);
    const std::size_t wide = beside ? copies * (at.columns + gap) : at.columns;
    const std::size_t high = beside ? at.rows : copies * (at.rows + gap);
    height = std::max(height, at.row + high + margin());
    width = std::max(width, at.column + wide + margin());
    in_rows[i] = !beside;
  }
  for (std::size_t i = 0; i < 3; i++) {
    Placement& at = operands[i];
    at.width = sizes[at.home][1];
    if (in_rows[i]) at.stride *= at.width;
  }
  return sizes;
}

}  // namespace tessera::test
