// What the models of a product's time on a GPU have in common: an H200's microseconds at whole
// calls of the host.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "tessera/capabilities.hpp"
#include "tessera/problem.hpp"

namespace tessera::inline v0::multiplication {

constexpr double kCall = 11;  ///< an empty kernel's launch, and waiting for it

/// A kernel, and how long the product takes by it.
struct Candidate {
  struct Value {
    const char* name = nullptr;
    int value = 0;
  };

  std::string_view variant;
  double microseconds;
  std::array<Value, 8> parameters = {};
};

inline std::size_t compute_units(const DeviceCapabilities& device) {
  return std::max<std::size_t>(device.compute_units, 1);
}

inline double real(std::size_t number) { return static_cast<double>(number); }

/// An operand as stored in memory, with `pitch` elements between the beginnings of its rows, and
/// `offset` between a multiple of 16 bytes and the first.
struct Side {
  std::size_t rows, columns, pitch, offset;

  Side(std::size_t number, std::size_t width, std::size_t leading_dimension, std::size_t first)
      : rows(number),
        columns(width),
        pitch(leading_dimension > 0 ? leading_dimension : width),
        offset(first) {}

  /// True if all rows begin at multiples of so many bytes.
  bool is_aligned(ElementType type, std::size_t bytes = 16) const {
    return offset * element_size(type) % bytes == 0 && pitch * element_size(type) % bytes == 0;
  }
};

inline Side side_of_a(const Problem& problem) {
  const std::size_t at = problem.leading_dimensions.a;
  const std::size_t first = problem.offsets.a;
  return is_transposed(problem.op_a) ? Side(problem.k, problem.m, at, first)
                                     : Side(problem.m, problem.k, at, first);
}
inline Side side_of_b(const Problem& problem) {
  const std::size_t at = problem.leading_dimensions.b;
  const std::size_t first = problem.offsets.b;
  return is_transposed(problem.op_b) ? Side(problem.n, problem.k, at, first)
                                     : Side(problem.k, problem.n, at, first);
}

/// The time of an FMA unit's arithmetic, relative to floats.
inline double slowness(ElementType type) {
  return type == ElementType::float64 || type == ElementType::int32 ? 2 : 1;
}

}  // namespace tessera::inline v0::multiplication
