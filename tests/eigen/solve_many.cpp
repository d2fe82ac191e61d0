// Solves one matrix after the other, for tests/lanes/families.py: reads from standard input a line
// "TYPE n TOLERANCE" and n * n doubles each, writes a line for each and its vector's n doubles.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace {

template <class T>
void solve(const tessera::Engine& engine, std::size_t n, double tolerance,
           const std::vector<double>& elements) {
  const std::vector<T> converted(elements.begin(), elements.end());
  const tessera::Matrix<T> a(engine, n, n, converted);
  const auto start = std::chrono::steady_clock::now();
  const auto pair = tessera::dominant_eigenpair(a, {.tolerance = tolerance});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%a %a %a %a %s %s %zu %zu %zu %llu %g\n", pair.lower, pair.upper, pair.value,
              pair.residual, std::string(to_string(pair.reason)).c_str(),
              std::string(to_string(pair.structure.kind)).c_str(), pair.structure.period,
              pair.structure.classes, pair.structure.basic_classes,
              static_cast<unsigned long long>(pair.rounds), seconds.count());
  const auto vector = pair.vector.to_host();
  const std::vector<double> wide(vector.begin(), vector.end());
  std::fwrite(wide.data(), sizeof(double), wide.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

int main() {
  const tessera::Engine engine;
  std::string type;
  std::size_t n = 0;
  double tolerance = 0;
  while (std::cin >> type >> n >> tolerance && std::cin.ignore(1)) {
    std::vector<double> elements(n * n);
    std::cin.read(reinterpret_cast<char*>(elements.data()),
                  static_cast<std::streamsize>(elements.size() * sizeof(double)));
    if (type == "float") {
      solve<float>(engine, n, tolerance, elements);
    } else {
      solve<double>(engine, n, tolerance, elements);
    }
  }
}
