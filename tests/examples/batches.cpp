// Many products of one shape in one call: of matrices that are stacked in one, and with one factor
// for all of them.
#include <iostream>
#include <tessera/tessera.hpp>
#include <vector>

int main() {
  const tessera::Engine engine;
  // Three matrices of 2 x 2, one below the other.
  const tessera::Matrix<float> turns(engine, 6, 2, {1, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0, -1});
  const tessera::Matrix<float> points(engine, {{1, 2, 3}, {4, 5, 6}});

  // Each of the three times the same points: three blocks of 2 x 3, one below the other.
  const auto turned = multiply_batched(batch_of(turns, 3), repeated(points, 3));
  std::cout << turned.rows() << " x " << turned.columns() << '\n';  // 6 x 3
  for (const float element : turned.block(2, 0, 2, 3).to_host()) std::cout << element << ' ';
  std::cout << '\n';  // -4 -5 -6 1 2 3

  // Each times its own, into matrices that exist: c_i = a_i * a_i - c_i.
  tessera::Matrix<float> squares(engine, 6, 2, std::vector<float>(12, 1));
  multiply_batched_into(batch_of(squares, 3), batch_of(turns, 3), batch_of(turns, 3), {.beta = -1});
  for (const float element : squares.to_host()) std::cout << element << ' ';
  std::cout << '\n';  // 0 -1 -1 0 -2 -1 -1 -2 0 -1 -1 0
}
