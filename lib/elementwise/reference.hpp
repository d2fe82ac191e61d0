// An element of a scaled sum as the host computes it, with its error bound.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>

#include "reference/bound.hpp"
#include "tessera/add.hpp"

namespace tessera::inline v0::elementwise {

struct Bounded {
  double value, bound;
};

/// The bound that `add_into` documents; the reference of a double is summed in long double.
template <VectorElement T>
Bounded reference_sum(const AddOptions<T>& options, T a, T b) {
  if constexpr (std::integral<T>) {
    const auto sum = static_cast<std::uint32_t>(options.alpha) * static_cast<std::uint32_t>(a) +
                     static_cast<std::uint32_t>(options.beta) * static_cast<std::uint32_t>(b) +
                     static_cast<std::uint32_t>(options.constant);
    return {static_cast<double>(static_cast<std::int32_t>(sum)), 0};
  } else {
    const auto scaled = [](Scalar<T> factor, T element) {
      const auto product = static_cast<long double>(factor) * reference::widened(element);
      return factor == 0 ? 0 : product;  // not read
    };
    const long double of_a = scaled(options.alpha, a), of_b = scaled(options.beta, b),
                      constant = options.constant;
    const double value = static_cast<double>(of_a + of_b + constant);
    const double magnitude =
        static_cast<double>(std::fabs(of_a) + std::fabs(of_b) + std::fabs(constant));
    return {value, 4 * reference::kRoundoff<T> * magnitude + 3 * reference::kSmallestNormal<T> +
                       reference::storing_error<T>(value)};
  }
}

}  // namespace tessera::inline v0::elementwise
