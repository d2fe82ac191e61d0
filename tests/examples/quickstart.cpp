// Multiplies two matrices.
#include <iostream>
#include <tessera/tessera.hpp>

int main() {
  const tessera::Engine engine;  // $TESSERA_DEVICE, else the fastest device
  const tessera::Matrix<float> a(engine, {{1, 2, 3}, {4, 5, 6}});
  const tessera::Matrix<float> b(engine, {{7, 8}, {9, 10}, {11, 12}});
  const tessera::Matrix<float> c = a * b;
  for (const float element : c.to_host()) std::cout << element << ' ';  // 58 64 139 154
}
