// Options by name, a kernel of one's own choice, and a product into a block.
#include <iostream>
#include <tessera/tessera.hpp>

int main() try {
  const tessera::Engine engine;
  const tessera::Matrix<float> a(engine, {{1, 2, 3}, {4, 5, 6}});
  const tessera::Matrix<float> b(engine, {{7, 8, 9}, {10, 11, 12}, {13, 14, 15}});
  tessera::Matrix<float> c(engine, 4, 4, std::vector<float>(16, 1));

  auto d = tessera::multiply(a, b, {.alpha = 2, .kernel = {"tiled_static", {{"TILE", 8}}}});
  std::cout << d.ran.variant() << ' ' << d.to_host().front() << '\n';  // tiled_static 132

  tessera::multiply_into(c.block(1, 0, 2, 3), a, b, {.beta = 1, .transpose_b = true});
  std::cout << c.to_host()[4] << '\n';  // 51
} catch (const tessera::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
