// The stable age distribution of a population: the dominant eigenpair of its Leslie matrix.
// Leslie: "On the use of matrices in certain population mathematics", Biometrika 33, 1945.
#include <array>
#include <cmath>
#include <cstdio>
#include <tessera/tessera.hpp>

int main() {
  // Daughters of a female by age class, and the part of each class that lives to the next.
  constexpr std::array births = {0.0, 0.9, 1.6, 1.1, 0.3};
  constexpr std::array survival = {0.55, 0.8, 0.7, 0.4};
  constexpr std::size_t n = births.size();
  std::array<double, n * n> leslie{};
  for (std::size_t age = 0; age < n; age++) leslie[age] = births[age];
  for (std::size_t age = 0; age + 1 < n; age++) leslie[(age + 1) * n + age] = survival[age];

  const tessera::Engine engine;
  const tessera::Matrix<double> matrix(engine, n, n, leslie);
  const auto pair = tessera::dominant_eigenpair(matrix, {.tolerance = 1e-12});
  for (const double share : pair.vector.to_host()) std::printf("%.4f ", share);

  // Another route: the growth x solves Euler's and Lotka's equation, the sum of births * survivors
  // * x^-(age + 1) = 1, whose left side falls with x.
  double low = 0.1, high = 10;
  for (int step = 0; step < 100; step++) {
    const double x = (low + high) / 2;
    double sum = 0, alive = 1;
    for (std::size_t age = 0; age < n; age++) {
      sum += births[age] * alive / std::pow(x, static_cast<double>(age + 1));
      if (age + 1 < n) alive *= survival[age];
    }
    (sum > 1 ? low : high) = x;
  }
  const bool right = pair.lower <= high * (1 + 1e-14) && low * (1 - 1e-14) <= pair.upper;
  std::printf("\ngrowth %.9f a step, %s\n", pair.value, right ? "as by Lotka's equation" : "WRONG");
  return right && pair.converged ? 0 : 1;
}
