// Random matrix: irreducible matrices of six kinds, for tests of proven intervals.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace tessera::test {

enum class Kind { plain, small, large, decades, sparse, gap };

template <class T>
std::vector<T> random_matrix(Kind kind, std::size_t n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<T> a(n * n);
  const double gap = std::pow(10.0, -1 - 5 * uniform(random));
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++) {
      double value = uniform(random) + 1e-3;
      if (kind == Kind::small) value *= 1e-30;
      if (kind == Kind::large) value *= 1e30;
      if (kind == Kind::decades) value = std::pow(10.0, 12 * uniform(random) - 6);
      // A cycle through all keeps it irreducible.
      if (kind == Kind::sparse && uniform(random) > 3.0 / static_cast<double>(n) &&
          j != (i + 1) % n)
        value = 0;
      // Two nearly decoupled blocks.
      if (kind == Kind::gap && (i < n / 2) != (j < n / 2)) value *= gap;
      a[i * n + j] = static_cast<T>(value);
    }
  }
  return a;
}

}  // namespace tessera::test
