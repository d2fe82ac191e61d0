// Priorities by the analytic hierarchy process: the dominant eigenvector of a matrix of
// comparisons. Saaty: "A scaling method for priorities in hierarchical structures", J. Math.
// Psychology 15, 1977.
#include <cmath>
#include <cstdio>
#include <tessera/tessera.hpp>

int main() {
  // Element (i, j) is how many times as important criterion i is as j, of price, range and comfort.
  const tessera::Engine engine;
  const tessera::Matrix<double> comparisons(engine,
                                            {{1, 3, 5}, {1.0 / 3, 1, 2}, {1.0 / 5, 1.0 / 2, 1}});
  const auto pair = tessera::dominant_eigenpair(comparisons, {.tolerance = 1e-12});
  const auto vector = pair.vector.to_host();
  const double sum = vector[0] + vector[1] + vector[2];
  std::printf("price %.4f, range %.4f, comfort %.4f\n", vector[0] / sum, vector[1] / sum,
              vector[2] / sum);
  std::printf("consistency index %.5f\n", (pair.value - 3) / 2);

  // Another method: for three items the eigenvector is the vector of the rows' geometric means.
  const double means[3] = {std::cbrt(15.0), std::cbrt(2.0 / 3), std::cbrt(1.0 / 10)};
  const double all = means[0] + means[1] + means[2];
  double difference = 0;
  for (int i = 0; i < 3; i++)
    difference = std::fmax(difference, std::fabs(vector[i] / sum - means[i] / all));
  std::printf("%s\n", difference < 1e-11 ? "as by geometric means" : "WRONG");
  return difference < 1e-11 ? 0 : 1;
}
