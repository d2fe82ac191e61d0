// Vectors of wide numbers (cl/common/wide.cl): their layout in memory, and conversion to doubles.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tessera/problem.hpp"

namespace tessera::inline v0::eigen {

/// The components of a wide number.
enum class Wide { one_double, two_floats };

/// The wide numbers that kernels with this accumulator read and write.
constexpr Wide wide_of(Accumulator accumulator) {
  return accumulator == Accumulator::two_floats ? Wide::two_floats : Wide::one_double;
}

/// Returns `call(component)` with a component of value 0.
template <class Call>
decltype(auto) with_component(Wide wide, Call&& call) {
  return wide == Wide::two_floats ? call(float()) : call(double());
}

constexpr std::size_t component_size(Wide wide) {
  return wide == Wide::two_floats ? sizeof(float) : sizeof(double);
}

/// Both kinds of wide numbers have the same size. The high parts of n two-float numbers are stored
/// before the n low parts.
constexpr std::size_t kWideSize = sizeof(double);

std::vector<double> doubles_of(std::span<const std::byte> vector, Wide wide);
std::vector<std::byte> vector_of(std::span<const double> values, Wide wide);

/// Rounds end when an element falls below this in a vector whose largest element is about 1.
constexpr double smallest_of(Wide wide) { return wide == Wide::two_floats ? 0x1p-100 : 0x1p-1000; }

}  // namespace tessera::inline v0::eigen
