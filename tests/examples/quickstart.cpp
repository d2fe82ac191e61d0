// Multiplies two matrices, once with the kernel that the library chooses and once with a named one.
#include <iostream>
#include <tessera/tessera.hpp>

int main() try {
  const tessera::Engine engine;  // $TESSERA_DEVICE, else the fastest device
  const tessera::Matrix<float> a(engine, {{1, 2, 3}, {4, 5, 6}});
  const tessera::Matrix<float> b(engine, {{7, 8}, {9, 10}, {11, 12}});
  const tessera::Matrix<float> c = a * b;
  for (const float element : c.to_host()) std::cout << element << ' ';  // 58 64 139 154
  std::cout << '\n';

  const auto d = tessera::multiply(a, b, {.alpha = 2, .kernel = {"tiled_static", {{"TILE", 8}}}});
  std::cout << d.to_host().front() << " by " << d.ran.variant << '\n';  // 116 by tiled_static
} catch (const tessera::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
