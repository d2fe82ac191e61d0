#include <iostream>
#include <tessera/tessera.hpp>

int main() {
  const tessera::Engine engine;
  const tessera::Matrix<float> a(engine, {{1, 1, 2}, {2, 1, 3}, {2, 3, 5}});
  const auto pair = tessera::dominant_eigenpair(a, {.tolerance = 1e-9});
  std::cout << pair.value << " from " << pair.lower << " to " << pair.upper << '\n';
}
