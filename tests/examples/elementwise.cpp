// Power iteration without leaving the device: products, scaled sums, sums of rows and columns,
// fills and copies into blocks, between which nothing waits.
#include <cstdio>
#include <tessera/tessera.hpp>
#include <vector>

int main() {
  const tessera::Engine engine;
  const tessera::Matrix<double> links(engine, {{0, 1, 1}, {1, 0, 0}, {0, 1, 0}});

  // Two copies of the links side by side, with a column of 7 behind them.
  tessera::Matrix<double> wide(engine, 3, 7);
  copy_into(wide.block(0, 0, 3, 3), links);
  copy_into(wide.block(0, 3, 3, 3), links);
  fill(wide.block(0, 6, 3, 1), 7);
  for (const double sum : row_sums(wide).to_host()) std::printf("%g ", sum);  // 11 9 9
  std::printf("\n");

  // rank = 0.85 * rank * P + 0.15 / 3, where each row of P is a row of the links over its sum.
  const tessera::Matrix<double> inverse_sums(engine, {{0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const tessera::Matrix<double> steps = inverse_sums * links;
  tessera::Matrix<double> rank(engine, 1, 3), next(engine, 1, 3);
  fill(rank, 1.0 / 3);
  for (int round = 0; round < 100; round++) {
    multiply_into(next, rank, steps);
    add_into(rank, next, next, {.alpha = 0.85, .beta = 0, .constant = 0.15 / 3});
  }
  for (const double share : rank.to_host()) std::printf("%.4f ", share);
  std::printf("of %.4f\n", row_sums(rank).to_host()[0]);

  // The change by one more round, and the mean of the columns.
  const tessera::Matrix<double> change = rank - (0.85 * (rank * steps));
  for (const double rest : change.to_host()) std::printf("%.4f ", rest);  // 0.0500 0.0500 0.0500
  tessera::Matrix<double> means(engine, 3, 1);
  column_sums_into(means, links, {.alpha = 1.0 / 3});
  for (const double mean : means.to_host()) std::printf("%.4f ", mean);  // 0.3333 0.6667 0.3333
  std::printf("\n");
}
