// Parts that benchmarks share: matrices, and the median of measurements.
#pragma once

#include <algorithm>
#include <random>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::bench {

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
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
