// Error bounds of the accumulators of rounds.
#include "eigen/precision.hpp"

#include <limits>

namespace tessera::inline v0::eigen {
namespace {

/// The least positive number, or without subnormals the least normal one.
template <class T>
double smallest(bool has_subnormals) {
  using Limits = std::numeric_limits<T>;
  return static_cast<double>(has_subnormals ? Limits::denorm_min() : Limits::min());
}

}  // namespace

double relative_error(Accumulator accumulator, std::size_t size) {
  const double n = static_cast<double>(size);
  switch (accumulator) {
    case Accumulator::two_floats: return (n + 8) * 0x1p-44;  // each two-float addition loses bits
    case Accumulator::float64: return (n + 8) * 0x1p-53;
    case Accumulator::compensated:
    case Accumulator::automatic: break;
  }
  return (5 + n * n * 0x1p-53) * 0x1p-53;
}

Precision precision_of(Accumulator accumulator, ElementType type, std::size_t n, bool flushes) {
  const bool is_float = type == ElementType::float32;
  return {.relative = relative_error(accumulator, n),
          .smallest = accumulator == Accumulator::two_floats ? smallest<float>(!flushes)
                                                             : smallest<double>(!flushes),
          .floor = !flushes   ? 0
                   : is_float ? smallest<float>(false)
                              : smallest<double>(false)};
}

}  // namespace tessera::inline v0::eigen
