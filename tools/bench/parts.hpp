// Parts that benchmarks share: matrices, and the median of measurements.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <random>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::bench {

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// An engine whose kernels are the ones chosen without tuning.
inline Engine engine_without_profile() { return Engine(EngineOptions{.profile = "off"}); }

/// Normal numbers, or any integers, that repeat after a million, for matrices so large that each of
/// its own would take minutes.
template <class T>
std::vector<T> random_elements(std::size_t number, unsigned seed) {
  constexpr std::size_t kPeriod = 1000003;
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  const auto number_of = [&] {
    if constexpr (std::integral<T>)
      return static_cast<T>(random() >> 24);
    else if constexpr (requires(T value) { value.imag(); })
      return T(normal(random), normal(random));
    else
      return static_cast<T>(normal(random));
  };
  std::vector<T> elements(number);
  for (std::size_t i = 0; i < number; i++)
    elements[i] = i < kPeriod ? number_of() : elements[i - kPeriod];
  return elements;
}

/// The columns of a matrix that are not padding.
template <class M>
auto without_padding(M& stored, std::size_t padding) {
  return stored.block(0, padding / 2, stored.rows(), stored.columns() - padding);
}

inline Matrix<float> random_matrix(const Engine& engine, std::size_t rows, std::size_t columns) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0.1f, 1);
  std::vector<float> elements(rows * columns);
  for (float& element : elements) element = uniform(random);
  return Matrix<float>(engine, rows, columns, elements);
}

inline std::vector<float> hilbert(std::size_t n) {
  std::vector<float> elements(n * n);
  for (std::size_t i = 0; i < elements.size(); i++)
    elements[i] = 1.0f / static_cast<float>(i / n + i % n + 1);
  return elements;
}

}  // namespace tessera::bench
