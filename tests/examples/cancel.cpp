// Cancels a solve from its `progress`; another thread could do it too.
#include <cstdio>
#include <tessera/tessera.hpp>
#include <vector>

int main() {
  // The second eigenvalue is close to the first, so the bounds narrow slowly.
  constexpr std::size_t n = 200;
  std::vector<double> elements(n * n, 1);
  for (std::size_t i = 0; i < n; i++) elements[i * n + i] = 1e6 + static_cast<double>(i % 7);
  const tessera::Engine engine;
  const tessera::Matrix<double> matrix(engine, n, n, elements);

  const tessera::CancelSource source;
  tessera::EigenOptions options{.tolerance = 1e-12, .acceleration = tessera::Acceleration::none};
  options.cancel = source.token();
  options.progress = [&](const tessera::EigenProgress& progress) {
    if (progress.iterations >= 20) source.cancel();  // or a user pressed a key, or time is up
  };
  try {
    dominant_eigenpair(matrix, options);
    std::printf("not cancelled\n");
  } catch (const tessera::CancelledError&) {
    std::printf("cancelled\n");
  }

  // Matrix and engine are as they were.
  const auto pair = dominant_eigenpair(matrix, {.tolerance = 1e-9});
  std::printf("%s\n", pair.converged ? "then solved" : "not solved");
}
