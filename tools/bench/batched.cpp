// Batched: many small products in one call beside one large one, by operations a second, in turn.
#include <benchmark/benchmark.h>

#include <vector>

#include "bandwidth.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

/// An eighth of the operations of one product of 2048 x 2048 matrices.
void batches(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  constexpr std::size_t kLarge = 2048;
  const std::size_t count = (kLarge / n) * (kLarge / n) * (kLarge / n) / 8;
  const Engine engine;
  const auto a = random_matrix(engine, count * n, n), b = random_matrix(engine, count * n, n);
  const auto large_a = random_matrix(engine, kLarge, kLarge),
             large_b = random_matrix(engine, kLarge, kLarge);
  Matrix<float> c(engine, count * n, n), large_c(engine, kLarge, kLarge);
  const auto batch = [&] {
    multiply_batched_into(batch_of(c, count), batch_of(a, count), batch_of(b, count))
        .finished.wait();
  };
  const auto large = [&] { multiply_into(large_c, large_a, large_b).finished.wait(); };
  batch();
  large();
  std::vector<double> batched, whole;
  for (auto _ : state) {
    batched.push_back(seconds(batch));
    whole.push_back(seconds(large));
    state.SetIterationTime(batched.back());
  }
  const double cube = static_cast<double>(n * n * n);
  const double flops = 2 * static_cast<double>(count) * cube;
  state.counters["GFLOP/s"] = 1e-9 * flops / median(batched);
  state.counters["of_one_large"] =
      (flops / median(batched)) / (2.0 * kLarge * kLarge * kLarge / median(whole));
  state.SetLabel(engine.device().name);
}
BENCHMARK(batches)
    ->Name("Batched")
    ->Arg(32)
    ->Arg(64)
    ->Arg(128)
    ->UseManualTime()
    ->Iterations(9)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
