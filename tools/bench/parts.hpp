// Parts that benchmarks share: matrices, and the median of measurements.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
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

/// Normal numbers, or any integers.
template <class T>
std::vector<T> random_period(std::size_t number, unsigned seed) {
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
  std::ranges::generate(elements, number_of);
  return elements;
}

/// Random numbers that repeat after a million: to draw all of a large matrix would take minutes.
/// Calls with the same seed return the same numbers.
template <class T>
std::vector<T> random_elements(std::size_t number, unsigned seed) {
  constexpr std::size_t kPeriod = 1000003;
  static std::map<unsigned, std::vector<T>> periods;
  auto& period = periods[seed];
  if (period.empty()) period = random_period<T>(kPeriod, seed);
  std::vector<T> elements(number);
  for (std::size_t i = 0; i < number; i += kPeriod)
    std::copy_n(period.begin(), std::min(kPeriod, number - i),
                elements.begin() + static_cast<std::ptrdiff_t>(i));
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
